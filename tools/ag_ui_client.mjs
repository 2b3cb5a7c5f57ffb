// Talks to an assistant through AG-UI's own client: node ag_ui_client.mjs URL
import assert from "node:assert/strict";
import { HttpAgent } from "@ag-ui/client";

const headers = { authorization: "Bearer anon_the-token-of-this-trial" };
const agent = new HttpAgent({ url: `${process.argv[2]}/ag-ui`, headers, threadId: "trial" });

async function say(text) {
  agent.addMessage({ id: `user-${agent.messages.length}`, role: "user", content: text });
  return run();
}

async function run(parameters = {}) {
  const custom = [];
  const { newMessages } = await agent.runAgent(parameters, {
    onCustomEvent: ({ event }) => { custom.push(event); },
  });
  return { said: newMessages.map((message) => message.content), custom };
}

// Words, and buttons beside them.
const asked = await say("send 50 to Bob");
assert.deepEqual(asked.said.slice(1), ["Which account?\n1. Checking\n2. Savings"]);
assert.deepEqual(asked.custom.map((event) => event.name), ["soni.ui", "soni.waiting"]);
assert.equal(agent.state.tasks[0].slots.recipient, "Bob");
assert.deepEqual(agent.pendingInterrupts, []);

// Consent is an interrupt, which the client does not let pass unanswered.
await say("savings");
const [interrupt] = agent.pendingInterrupts;
assert.equal(interrupt.message, "Shall I send 50 euros to Bob from your savings account?");
await assert.rejects(run(), /not addressed by resume/);
const resume = [{ interruptId: interrupt.id, status: "resolved", payload: { answer: true } }];
const done = await run({ resume });
assert.match(done.said[0], /^Done\. 50 euros are on their way to Bob\./);
assert.deepEqual(agent.pendingInterrupts, []);
assert.deepEqual(agent.state.tasks, []);

// The same run again does nothing twice, and says nothing twice.
const before = JSON.stringify(agent.messages);
await run({ resume });
assert.equal(JSON.stringify(agent.messages), before);

// Who is not known is refused.
console.error = () => {}; // the client writes what is expected here
const stranger = new HttpAgent({ url: `${process.argv[2]}/ag-ui` });
stranger.addMessage({ id: "1", role: "user", content: "hi" });
await assert.rejects(stranger.runAgent(), /401/);

console.log(agent.messages.map((message) => `${message.role}: ${message.content}`).join("\n"));

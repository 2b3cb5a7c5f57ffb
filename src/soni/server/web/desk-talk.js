// The open conversation of the desk. An answer keeps its id until it is known to be said: nothing is
// said twice.

import { makeId } from "./api.js";
import { spell, titleOf } from "./handoffs.js";
import { MessageList, make } from "./messages.js";
import { Patience } from "./patience.js";

const MAX_TRIES = 5;
const SPEAKERS = { user: "Customer", bot: "Assistant", application: "Application" };

const $ = (id) => document.getElementById(id);

/**
 * Shows one conversation and answers in it. `onSaid(id)` when an answer of mine was taken,
 * `onLost(text)` when the conversation is not at the desk any more, `onProblem(problem)`.
 */
export class TalkView {
  id = null;
  #talk = null;
  #drafts = new Map();
  #outgoing = new Map(); // by conversation: answers that are not known to be said
  #patience = new Patience();

  constructor(api, handoffs, events) {
    this.api = api;
    this.handoffs = handoffs;
    this.events = events;
    this.list = new MessageList($("messages"), {
      words: { waiting: "Sending …", failed: "Not sent.", retry: "Try again" },
      onRetry: (message) => void this.#deliver(message),
      nameOf: (message) => SPEAKERS[message.author] ?? handoffs.nameOf(message.by),
    });
    $("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    $("text").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      $("composer").requestSubmit();
    });
  }

  open(id) {
    this.close();
    this.id = id;
    this.#talk = { id, messages: [], lastId: null, stop: new AbortController() };
    $("nothing").hidden = true;
    $("open").hidden = false;
    $("desk").classList.add("talking");
    $("text").value = this.#drafts.get(id) ?? "";
    void this.#follow(this.#talk);
  }

  close() {
    if (this.id) this.#drafts.set(this.id, $("text").value);
    this.#talk?.stop.abort();
    this.#talk = this.id = null;
    this.list.render([]);
    $("open").hidden = $("details").hidden = true;
    $("nothing").hidden = false;
    $("desk").classList.remove("talking");
  }

  /** It is not at the desk any more, and neither is what was begun for it. */
  leave() {
    const { id } = this;
    this.close();
    this.#drafts.delete(id);
  }

  /** Whoever signs in next has nothing of what was written here. */
  forget() {
    this.close();
    this.#drafts.clear();
    this.#outgoing.clear();
    $("text").value = "";
    this.#patience.wake();
  }

  focus() {
    (matchMedia("(max-width: 700px)").matches ? $("back") : $("text").disabled ? $("claim") : $("text")).focus();
  }

  render(body) {
    const held = this.handoffs.placeOf(body);
    $("title").textContent = titleOf(body);
    $("where").textContent = [body.task, body.queue && spell(body.queue)].filter(Boolean).join(" · ") || body.reason;
    $("claim").hidden = held !== "waiting";
    $("release").hidden = held !== "mine";
    $("composer").hidden = held === "others";
    $("text").placeholder = held === "mine" ? "Write an answer" : "Answer, and take the conversation";
    $("holder").hidden = held !== "others";
    $("holder").textContent = held === "others" ? `${this.handoffs.nameHolder(body)} has this conversation. You can read it.` : "";
    renderDetails(body);
  }

  /** What was said, then what is said, until somebody closes it or it leaves the desk. */
  async #follow(opened) {
    const path = `api/conversations/${encodeURIComponent(opened.id)}`;
    const { signal } = opened.stop;
    const take = (said) => {
      opened.messages.push({ ...said, key: said.id, state: "said" });
      opened.lastId = said.id;
    };
    for (let failures = 0; !signal.aborted && this.handoffs.has(opened.id); failures += 1) {
      let problem = { retryAfter: 0 };
      try {
        for (let after = opened.lastId ? null : 0; after !== null;) {
          const page = await this.api.get(`${path}/messages?after=${after}&limit=200`, { signal });
          page.messages.forEach(take);
          after = page.next;
        }
        if (signal.aborted) return;
        this.#renderMessages();
        const options = { signal, lastEventId: opened.lastId ?? "0:0", onOpen: () => { failures = 0; } };
        for await (const { data } of this.api.stream(`${path}/events`, options)) {
          take(data);
          this.#renderMessages();
        }
      } catch (error) {
        problem = error;
        if (signal.aborted) return;
        if (problem.status === 404) {
          this.events.onLost("This conversation is not at the desk any more.");
          return;
        }
      }
      await this.#patience.wait(problem, failures, signal);
    }
  }

  #renderMessages() {
    const own = this.#outgoing.get(this.id) ?? [];
    const known = new Set(this.#talk.messages.map((message) => message.message_id).filter(Boolean));
    const left = own.filter((message) => !known.has(message.key));
    this.#outgoing.set(this.id, left);
    const box = $("scroll");
    const isAtEnd = !box.querySelector("li") || box.scrollHeight - box.scrollTop - box.clientHeight < 80;
    this.list.render([...this.#talk.messages, ...left]);
    if (isAtEnd || left.length) box.scrollTop = box.scrollHeight;
  }

  #send() {
    const { id } = this;
    const { me } = this.handoffs;
    const text = $("text").value.trim();
    if (!text || !id) return;
    $("text").value = "";
    this.#drafts.delete(id);
    const message = { key: makeId(), conversation: id, author: "agent", by: me.name ?? me.id, text, at: Date.now() / 1000, state: "sending" };
    this.#outgoing.set(id, [...(this.#outgoing.get(id) ?? []), message]);
    this.#renderMessages();
    void this.#deliver(message);
  }

  /** Send an answer until it is taken. It goes out in the name of who wrote it, or not at all. */
  async #deliver(message) {
    const id = message.conversation;
    const { me } = this.handoffs;
    const body = { text: message.text, message_id: message.key };
    for (let tries = 1; me === this.handoffs.me; tries += 1) {
      try {
        await this.api.post(`api/conversations/${encodeURIComponent(id)}/handoff/messages`, body);
        if (me !== this.handoffs.me) return;
        message.state = "said";
        this.events.onSaid(id);
        if (this.id === id) this.#renderMessages();
        return;
      } catch (problem) {
        if (me !== this.handoffs.me) return;
        message.state = problem.isPassing && tries < MAX_TRIES ? "waiting" : "failed";
        if (this.id === id) this.#renderMessages();
        if (message.state === "failed") {
          this.events.onProblem(problem);
          return;
        }
        await this.#patience.wait(problem, tries);
      }
    }
  }
}

function renderDetails(body) {
  const signature = JSON.stringify([body.conversation_id, body.task, body.slots, body.context, body.reason, body.queue]);
  $("details").hidden = false;
  if ($("details").dataset.shown === signature) return;
  $("details").dataset.shown = signature;
  const parts = [["Why", body.reason], ["Task", body.task ?? "None is open"], ["Since", formatSince(body.at)]];
  if (body.queue) parts.splice(2, 0, ["Queue", spell(body.queue)]);
  $("details").replaceChildren(
    make("h3", {}, "Handoff"), makeFacts(parts),
    ...makeGroup("What is known", body.slots), ...makeGroup("For you", body.context),
  );
}

function formatSince(seconds) {
  const at = new Date(seconds * 1000);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString([], isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

function makeGroup(title, values) {
  const rows = Object.entries(values).filter(([, value]) => value !== null);
  return rows.length ? [make("h3", {}, title), makeFacts(rows.map(([name, value]) => [spell(name), value]))] : [];
}

function makeFacts(rows) {
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  return make("dl", {}, ...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, shown(value)))));
}

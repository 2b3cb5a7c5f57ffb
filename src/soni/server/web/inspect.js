// The inspector: a chat, and what each of its turns did.

import { Api, isAnonymous } from "./api.js";
import { Conversation } from "./conversation.js";
import { Drawer } from "./drawer.js";
import { ChatView } from "./inspect-chat.js";
import { GraphView, findTrail } from "./inspect-graph.js";
import { ReplayView } from "./inspect-replay.js";
import { SourceView } from "./inspect-source.js";
import { TestDialog } from "./inspect-test.js";
import { TimeView } from "./inspect-time.js";
import { TurnView } from "./inspect-turn.js";
import { pickText } from "./words.js";

const LOAD_MS = 150; // Several messages of one turn come at once.
const find = (id) => document.getElementById(id);

const drawer = new Drawer("chat"); // The conversation of the chat page in this browser.
const visit = new Drawer("inspect");
const api = new Api(visit.get("key") ?? drawer.get("token"));
const shown = readAddress();
const talk = new Conversation(api, shown ? { drawer: visit, id: shown } : { drawer });
const state = { turns: [], index: -1, isLive: true, slot: null, flow: null, isDevelopment: false, mode: "message" };

const time = new TimeView(goTo);
const chat = new ChatView(talk, showSeq);
const turnView = new TurnView(find("turn-body"), { onSlot: chooseSlot, onFlow: chooseFlow });
const graph = new GraphView(find("canvas"), (flow) => api.get(`api/flows/${encodeURIComponent(flow)}/drawing`));
const source = new SourceView(find("view-source"), api, afterSaving);
const replays = new ReplayView(find("view-replay"), (isAnew) => api.post(`${path()}/replay?understanding=${isAnew}`), showSeq);
const test = new TestDialog(api, path);

/** The conversation of somebody else that the address names, if it names one. */
function readAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1)) || null;
  } catch {
    return null;
  }
}

function path() {
  return `api/conversations/${encodeURIComponent(talk.id)}`;
}

function tell(text, isBad = false) {
  find("status").textContent = text;
  find("status").parentElement.classList.toggle("bad", isBad);
}

function report(problem) {
  const told = problem.title ? `${problem.title}. ${problem.detail && problem.detail !== problem.title ? `${problem.detail}. ` : ""}${problem.remedy}` : problem.message;
  tell(told, true);
}

/** What is wrong with the commands in the field, below it; nothing: they are well. */
function refuse(text = "") {
  find("refused").textContent = text && `${text[0].toUpperCase()}${text.slice(1)}.`;
  find("refused").hidden = !text;
}

// Time

function current() {
  return state.turns[state.index] ?? null;
}

function showSeq(seq) {
  const index = state.turns.findIndex((turn) => turn.seq === seq);
  if (index >= 0) goTo(index);
}

function goTo(index) {
  if (!state.turns.length) return;
  if (state.slot) tell("");
  state.index = Math.min(Math.max(0, index), state.turns.length - 1);
  state.isLive = state.index === state.turns.length - 1;
  const slot = state.slot && current().slots?.find((each) => each.flow_id === state.slot.flow_id && each.name === state.slot.name);
  state.slot = slot ?? null;
  state.flow = current().stack?.at(-1)?.flow ?? current().steps?.at(-1)?.flow ?? state.flow;
  render();
}

function renderTime() {
  time.render(state.turns, state.index);
  find("fork").disabled = current()?.status !== "ok";
  find("save-test").disabled = !state.turns.length;
}

function renderChat() {
  chat.render(current(), state.isLive, state.slot);
}

function chooseSlot(slot) {
  state.slot = slot;
  turnView.render(current(), slot);
  find("turn-body").querySelector('[aria-pressed="true"]')?.focus();
  chat.mark(slot);
  if (!slot) tell("");
  else tell(slot.evidence?.words ? `${slot.name} comes from the words “${slot.evidence.words}” in turn ${slot.turn}.` : `${slot.name} comes from turn ${slot.turn}.`);
}

// The flow

function chooseFlow(flow) {
  state.flow = flow;
  showPane("flow");
  showTab("graph");
  void renderGraph();
}

async function renderGraph() {
  const select = find("flow-name");
  if (!state.flow) state.flow = select.options[0]?.value ?? null;
  if (!state.flow) return;
  select.value = state.flow;
  const flow = state.flow;
  const figures = await graph.render(flow, findTrail(state.turns, state.index, flow));
  if (figures) find("coverage").textContent = `${figures.covered} of ${figures.steps} steps covered`;
}

function showTab(name) {
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", `${isChosen}`);
    tab.tabIndex = isChosen ? 0 : -1;
    find(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  if (name === "graph") void renderGraph();
  if (name === "source" && state.flow) void source.showFlow(state.flow).catch(report);
}

function showPane(name) {
  document.body.dataset.pane = name;
  for (const button of document.querySelectorAll(".panes button")) {
    if (button.dataset.pane === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  if (name === "flow") void renderGraph();
}

async function afterSaving(file) {
  graph.forget();
  await loadFlows();
  tell(`Saved ${file}. The assistant goes on with it.`);
  showTab("replay");
  await replays.start();
}

// Everything

function render() {
  renderTime();
  turnView.render(current(), state.slot);
  renderChat();
  void renderGraph();
}

let loading = null;
let isStale = false;
let due = 0;
let known = "";

/** Load turns if something was said since, not for each piece of a text that is being written. */
function loadSoon() {
  const said = talk.messages.filter((message) => message.state === "said");
  const now = `${talk.id} ${said.length} ${said.at(-1)?.id ?? ""}`;
  if (now === known) return;
  known = now;
  clearTimeout(due);
  due = setTimeout(() => void loadTurns(), LOAD_MS);
}

/** Load the turns that are new. One request at a time: each adds to what is there. */
async function loadTurns() {
  isStale = true;
  loading ??= (async () => {
    await null; // Else it could end before it is known to be under way.
    try {
      while (isStale && talk.id) {
        isStale = false;
        const id = talk.id;
        const after = state.turns.at(-1)?.seq ?? 0;
        const found = await api.get(`${path()}/inspection?after=${after}`);
        if (talk.id !== id) continue;
        setDevelopment(found.development);
        if (!found.turns.length) continue;
        state.turns.push(...found.turns);
        if (state.isLive) goTo(state.turns.length - 1);
        else render();
      }
    } catch (problem) {
      report(problem);
    } finally {
      loading = null;
    }
  })();
  await loading;
}

async function loadFlows() {
  const flows = await api.get("api/flows");
  find("flow-name").replaceChildren(...flows.map((flow) => new Option(flow.name, flow.name)));
}

function setDevelopment(isDevelopment) {
  if (state.isDevelopment === isDevelopment) return;
  state.isDevelopment = isDevelopment;
  find("tab-source").hidden = !isDevelopment;
  find("as-command").hidden = !isDevelopment;
  find("test-save").hidden = !isDevelopment;
  if (isDevelopment) void source.start().catch(report);
}

async function openTalk() {
  const opened = await api.open();
  if (opened.token) {
    api.token = opened.token;
    drawer.set("token", opened.token);
  }
  drawer.set("id", opened.id);
  return opened.id;
}

function clear() {
  Object.assign(state, { turns: [], index: -1, isLive: true, slot: null });
}

async function move(id) {
  clear();
  if (shown) {
    // This page follows somebody else's conversation; the new one is the author's.
    drawer.set("id", id);
    history.replaceState(null, "", location.pathname);
    location.reload();
    return;
  }
  talk.adopt(id);
  await talk.resume();
  await loadTurns();
  render();
}

/** It was removed, or is not for us to see. */
async function replace() {
  clear();
  if (shown) render();
  else await move(await openTalk());
  tell("The conversation is not there any more.");
}

async function fork() {
  const turn = current();
  const made = await api.post(`${path()}/fork`, { seq: turn.seq });
  await move(made.id);
  const notes = [`Forked from turn ${turn.turn}. Nothing was done again.`];
  if (made.differences) notes.push(`${made.differences} turns went otherwise with the flows of today.`);
  if (made.placeholders) notes.push("Sensitive values are not on record: placeholders stand in for them.");
  tell(notes.join(" "));
  find("text").focus();
}

async function showTest() {
  tell("Writing the test…");
  await test.show();
  tell("");
}

async function send(event) {
  event.preventDefault();
  const input = find("text");
  const text = input.value.trim();
  if (!text) return;
  input.value = "";
  tell("");
  refuse();
  goTo(state.turns.length - 1);
  if (state.mode === "message") {
    talk.send({ text });
    return;
  }
  try {
    await api.post(`${path()}/commands`, { commands: text });
    await loadTurns();
  } catch (problem) {
    input.value = text;
    if (problem.code === "invalid_request") refuse(problem.detail);
    else report(problem);
  }
}

function setMode(mode) {
  state.mode = mode;
  refuse();
  for (const each of ["message", "command"]) find(`as-${each}`).setAttribute("aria-pressed", `${each === mode}`);
  const input = find("text");
  input.placeholder = mode === "message" ? "Write a message" : `StartFlow ${find("flow-name").options[0]?.value ?? "FLOW"}`;
  input.setAttribute("aria-label", mode === "message" ? "Message" : "Commands");
  input.classList.toggle("mono", mode === "command");
  input.focus();
}

function listen() {
  const attempt = (work) => () => void work().catch(report);
  find("dismiss").addEventListener("click", () => tell(""));
  find("fork").addEventListener("click", attempt(fork));
  find("save-test").addEventListener("click", attempt(showTest));
  find("fresh").addEventListener("click", attempt(async () => move(await openTalk())));
  find("composer").addEventListener("submit", (event) => void send(event));
  find("as-message").addEventListener("click", () => setMode("message"));
  find("as-command").addEventListener("click", () => setMode("command"));
  find("flow-name").addEventListener("change", (event) => {
    state.flow = event.target.value;
    void renderGraph();
  });
  find("smaller").addEventListener("click", () => graph.zoom(0.8));
  find("larger").addEventListener("click", () => graph.zoom(1.25));
  find("fit").addEventListener("click", () => graph.zoom(null));
  for (const button of document.querySelectorAll(".panes button")) button.addEventListener("click", () => showPane(button.dataset.pane));
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  for (const tab of tabs) {
    tab.addEventListener("click", () => showTab(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const open = tabs.filter((each) => !each.hidden);
      const other = open[(open.indexOf(tab) + step + open.length) % open.length];
      showTab(other.id.slice(4));
      other.focus();
    });
  }
  talk.addEventListener("change", () => {
    renderChat();
    loadSoon();
  });
  talk.addEventListener("problem", (event) => {
    report(event.detail);
    void loadTurns(); // A turn that failed is one as well.
  });
  talk.addEventListener("gone", attempt(replace));
  talk.addEventListener("unauthenticated", attempt(async () => {
    await askKey("Nobody is known by the key of before.");
    await talk.resume();
  }));
}

/** Ask for a key, as often as it takes. */
function askKey(reason) {
  const dialog = find("entry");
  find("entry-reason").textContent = reason;
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      api.token = find("key").value.trim() || null;
      if (api.token) visit.set("key", api.token, { isBrief: true });
      resolve();
    }, { once: true });
  });
}

async function enter() {
  for (;;) {
    try {
      if (!api.token || (!shown && !drawer.get("id"))) await openTalk();
      await loadFlows();
      return;
    } catch (problem) {
      if (problem.status === 401 && isAnonymous(api.token)) {
        // Another server's, or an old one: this one gives out a new token.
        drawer.remove("id");
        api.token = null;
      } else if (problem.status === 401 || problem.status === 403) await askKey(`${problem.title}. ${problem.detail}. On your own machine, start with: soni serve DIR --inspect`);
      else throw problem;
    }
  }
}

listen();
showPane("turn");
try {
  await enter();
  if (shown) {
    find("text").disabled = true;
    find("text").placeholder = "Somebody else’s conversation: fork it to go on";
  }
  void api.get("web/page.json").then((about) => {
    chat.greet(pickText(about.title, "en"), about.suggestions.map((each) => pickText(each, "en")));
  }, () => null); // It goes without.
  await talk.resume();
  await loadTurns();
  // Where nothing has happened yet there is nothing to see but the chat.
  if (!state.turns.length) showPane("chat");
  render();
} catch (problem) {
  report(problem);
}

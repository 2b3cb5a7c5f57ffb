// The inspector: a chat, and what each of its turns did.

import { Api } from "./api.js";
import { Conversation } from "./conversation.js";
import { Drawer } from "./drawer.js";
import { MessageList, linkText } from "./messages.js";
import { GraphView, findTrail } from "./inspect-graph.js";
import { ReplayView, SourceView } from "./inspect-source.js";
import { TurnView } from "./inspect-turn.js";

const PLAY_MS = 900;
const KEY = "soni:inspector-key";
const find = (id) => document.getElementById(id);

const drawer = new Drawer("chat"); // The conversation of the chat page in this browser.
const api = new Api(sessionStorage.getItem(KEY) ?? drawer.get("token"));
const shown = decodeURIComponent(location.hash.slice(1)) || null;
const talk = new Conversation(api, shown ? { drawer: new Drawer("inspect"), id: shown } : { drawer });
const state = { turns: [], index: -1, isLive: true, slot: null, flow: null, isDevelopment: false, playing: 0, mode: "message" };

const messages = new MessageList(find("messages"), {
  words: { waiting: "Waiting for the network", failed: "Not sent", retry: "Again", choices: "Choices" },
  onPick: (label) => talk.send({ press: label }),
  onRetry: (message) => talk.retry(message.key),
  nameOf: (message) => (message.author === "user" && message.turn ? `Turn ${message.turn}` : null),
});
const turnView = new TurnView(find("turn-body"), { onSlot: chooseSlot, onFlow: chooseFlow });
const graph = new GraphView(find("canvas"), (flow) => api.get(`api/flows/${encodeURIComponent(flow)}/drawing`));
const source = new SourceView(find("view-source"), api, afterSaving);
const replays = new ReplayView(find("view-replay"), (isAnew) => api.post(`${path()}/replay?understanding=${isAnew}`), showSeq);

function path() {
  return `api/conversations/${encodeURIComponent(talk.id)}`;
}

function tell(text) {
  find("status").textContent = text;
}

function report(problem) {
  const told = problem.title ? `${problem.title}. ${problem.detail && problem.detail !== problem.title ? `${problem.detail}. ` : ""}${problem.remedy}` : problem.message;
  tell(told);
}

// Time

function current() {
  return state.turns[state.index] ?? null;
}

function showSeq(seq) {
  goTo(state.turns.findIndex((turn) => turn.seq === seq));
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

function play() {
  const isPlaying = Boolean(state.playing);
  clearInterval(state.playing);
  state.playing = 0;
  if (!isPlaying && state.turns.length) {
    if (state.isLive) goTo(0);
    state.playing = setInterval(() => {
      if (state.isLive) play();
      else goTo(state.index + 1);
    }, PLAY_MS);
  }
  find("play").setAttribute("aria-pressed", `${Boolean(state.playing)}`);
}

function renderTime() {
  const [slider, count, turn] = [find("slider"), state.turns.length, current()];
  slider.max = `${Math.max(0, count - 1)}`;
  slider.value = `${Math.max(0, state.index)}`;
  slider.disabled = count < 2;
  const words = turn ? `Turn ${turn.turn} of ${state.turns.at(-1).turn}` : "No turns yet";
  slider.setAttribute("aria-valuetext", turn?.message ? `${words}: ${turn.message}` : words);
  find("place").textContent = words;
  find("place").classList.toggle("past", !state.isLive);
  for (const id of ["first", "back"]) find(id).disabled = state.index <= 0;
  for (const id of ["next", "last"]) find(id).disabled = state.index >= count - 1;
  find("play").disabled = count < 2;
  find("fork").disabled = !turn || turn.status !== "ok";
  find("save-test").disabled = !count;
  const ticks = find("ticks");
  if (ticks.children.length !== count) ticks.replaceChildren(...state.turns.map(() => document.createElement("i")));
  state.turns.forEach((each, index) => {
    const bad = each.status !== "ok" || each.commands.some((made) => made.decision === "rejected") || each.actions.some((call) => call.error);
    ticks.children[index].className = [index === state.index ? "here" : index < state.index ? "done" : "", bad ? "bad" : ""].join(" ");
  });
}

// The chat

function renderChat() {
  messages.render(talk.messages);
  find("greeting").hidden = talk.messages.length > 0;
  const turn = current();
  for (const message of talk.messages) {
    const item = findItem(message);
    const seq = Number(message.id?.split(":")[0] ?? Infinity);
    item?.classList.toggle("later", Boolean(turn) && !state.isLive && seq > turn.seq);
    item?.classList.toggle("chosen", Boolean(turn) && seq === turn.seq);
  }
  markWords();
}

function findItem(message) {
  return find("messages").querySelector(`[data-key="${CSS.escape(message.key)}"]`);
}

/** Mark the words that the chosen slot comes from. */
function markWords() {
  for (const bubble of find("messages").querySelectorAll(".bubble:has(mark)")) bubble.replaceChildren(...linkText(bubble.textContent));
  find("messages").querySelectorAll(".source").forEach((item) => item.classList.remove("source"));
  const slot = state.slot;
  const message = slot && talk.messages.find((each) => each.author === "user" && each.id?.startsWith(`${slot.seq}:`));
  const item = message && findItem(message);
  if (!item) return;
  item.classList.add("source");
  const [span, bubble] = [slot.evidence?.span, item.querySelector(".bubble")];
  if (span) {
    const mark = document.createElement("mark");
    mark.textContent = message.text.slice(span[0], span[1]);
    bubble.replaceChildren(message.text.slice(0, span[0]), mark, message.text.slice(span[1]));
  }
  item.scrollIntoView({ block: "nearest" });
}

function scrollChat() {
  const turn = current();
  const message = turn && talk.messages.findLast((each) => each.id?.startsWith(`${turn.seq}:`));
  if (state.isLive) find("scroll").scrollTop = find("scroll").scrollHeight;
  else if (message) findItem(message)?.scrollIntoView({ block: "nearest" });
}

function chooseSlot(slot) {
  state.slot = slot;
  turnView.render(current(), slot);
  find("turn-body").querySelector('[aria-pressed="true"]')?.focus();
  markWords();
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

async function afterSaving() {
  graph.forget();
  await loadFlows();
  showTab("replay");
  await replays.start();
}

// Everything

function render() {
  renderTime();
  turnView.render(current(), state.slot);
  renderChat();
  scrollChat();
  void renderGraph();
}

let loading = null;
let isStale = false;

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
  const opened = await api.post("api/conversations", {});
  if (opened.token) {
    api.token = opened.token;
    drawer.set("token", opened.token);
  }
  drawer.set("id", opened.id);
  return opened.id;
}

async function move(id) {
  state.turns = [];
  state.index = -1;
  state.isLive = true;
  state.slot = null;
  if (shown) {
    // This page follows somebody else's conversation; the new one is the author's.
    drawer.set("id", id);
    history.replaceState(null, "", location.pathname);
    location.reload();
    return;
  }
  talk.leave();
  drawer.set("id", id);
  await talk.resume();
  await loadTurns();
  render();
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
  const test = await api.get(`${path()}/test`);
  tell("");
  find("test-text").textContent = test.text;
  find("test-verdict").textContent = test.passed ? "passes" : "does not pass as it stands";
  find("test-verdict").className = `badge ${test.passed ? "good" : "bad"}`;
  find("test-notes").replaceChildren(...[...test.notes, ...test.failures].map((note) => Object.assign(document.createElement("li"), { textContent: note })));
  find("test-place").textContent = "";
  find("test-save").disabled = false;
  URL.revokeObjectURL(find("test-download").href);
  find("test-download").href = URL.createObjectURL(new Blob([test.text], { type: "application/yaml" }));
  find("test").showModal();
}

async function saveTest() {
  find("test-save").disabled = true;
  try {
    const saved = await api.post(`${path()}/test`, {});
    find("test-place").textContent = `Saved as ${saved.file}`;
  } catch (problem) {
    find("test-place").textContent = problem.detail;
  }
}

async function send(event) {
  event.preventDefault();
  const input = find("text");
  const text = input.value.trim();
  if (!text) return;
  input.value = "";
  tell("");
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
    report(problem);
  }
}

function setMode(mode) {
  state.mode = mode;
  for (const each of ["message", "command"]) find(`as-${each}`).setAttribute("aria-pressed", `${each === mode}`);
  const input = find("text");
  input.placeholder = mode === "message" ? "Write a message" : "StartFlow transfer; SetSlot amount 50";
  input.setAttribute("aria-label", mode === "message" ? "Message" : "Commands");
  input.classList.toggle("mono", mode === "command");
  input.focus();
}

function isTyping(target) {
  return target.closest?.("input, textarea, select, [role=tablist], dialog, .canvas, .scroll") !== null;
}

function listen() {
  const attempt = (work) => () => void work().catch(report);
  find("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  find("first").addEventListener("click", () => goTo(0));
  find("back").addEventListener("click", () => goTo(state.index - 1));
  find("next").addEventListener("click", () => goTo(state.index + 1));
  find("last").addEventListener("click", () => goTo(state.turns.length - 1));
  find("play").addEventListener("click", play);
  find("fork").addEventListener("click", attempt(fork));
  find("save-test").addEventListener("click", attempt(showTest));
  find("test-save").addEventListener("click", () => void saveTest());
  find("test-close").addEventListener("click", () => find("test").close());
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
  find("messages").addEventListener("click", (event) => {
    const key = event.target.closest("button") ? null : event.target.closest("li")?.dataset.key;
    const message = talk.messages.find((each) => each.key === key);
    if (message?.id) showSeq(Number(message.id.split(":")[0]));
  });
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
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    const places = { ArrowLeft: state.index - 1, ArrowRight: state.index + 1, Home: 0, End: state.turns.length - 1 };
    if (!(event.key in places)) return;
    event.preventDefault();
    goTo(places[event.key]);
  });
  talk.addEventListener("change", () => {
    renderChat();
    scrollChat();
    void loadTurns();
  });
  talk.addEventListener("problem", (event) => report(event.detail));
}

/** Ask for a key, as often as it takes. */
function askKey(reason) {
  const dialog = find("entry");
  find("entry-reason").textContent = reason;
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      api.token = find("key").value.trim() || null;
      if (api.token) sessionStorage.setItem(KEY, api.token);
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
      if (problem.status === 401 && api.token?.startsWith("anon_")) {
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
  await talk.resume();
  if (!talk.id) await move(await openTalk());
  await loadTurns();
  render();
} catch (problem) {
  report(problem);
}

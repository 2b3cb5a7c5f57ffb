// The desk: conversations that wait for a person. The list comes as events, and so does what is
// said in the open one. An answer keeps its id until it is known to be said: nothing is said twice.

import { Api, Problem, ROOT, makeId } from "./api.js";
import { MessageList, make } from "./messages.js";

const KEY = `soni:${ROOT.pathname}:desk:key`;
const SEEN = `soni:${ROOT.pathname}:desk:seen`;
const LONG_MINUTES = 10;
const MAX_WAIT_MS = 15_000;
const MAX_TRIES = 5;
const VIEWS = { waiting: "Waiting", mine: "Mine", others: "Others" };

const $ = (id) => document.getElementById(id);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const api = new Api();
const handoffs = new Map();
const seen = new Map(Object.entries(readKept(SEEN) ?? {}));
const drafts = new Map();
const outgoing = new Map(); // by conversation: answers that are not known to be said
let me = null;
let view = "waiting";
let queue = "";
let openId = null;
let talk = null;
let following = null;

const list = new MessageList($("messages"), {
  words: { waiting: "Sending …", failed: "Not sent.", retry: "Try again" },
  onRetry: (message) => deliver(message),
  nameOf: (message) => ({ user: "Customer", bot: "Assistant", application: "Application" })[message.author] ?? nameOf(message.by),
});

// What stays in this tab, and no longer: the key, and what was read.

function readKept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* nothing may be stored here: it lasts until the page is left */ }
}

// Signing in. On the machine itself, with --inspect, somebody unknown is let in.

async function signIn(key) {
  api.token = key;
  const found = await api.get("api/me");
  if (key && found.id === null) throw new Problem({ status: 401, code: "unauthenticated" });
  if (!found.roles.includes("agent")) {
    throw new Problem({ status: 403, code: "role", title: "This key has not the role `agent`" });
  }
  api.token = key ?? found.token;
  keep(KEY, api.token);
  me = found;
  $("me").textContent = found.name ?? shortName(found.id);
  $("sign-in").hidden = true;
  $("desk").hidden = false;
  render();
  void follow();
}

function showSignIn(reason = "") {
  following?.abort();
  closeTalk();
  handoffs.clear();
  keep(KEY, null);
  api.token = me = null;
  document.title = "Desk";
  $("desk").hidden = true;
  $("sign-in").hidden = false;
  $("refused").hidden = !reason;
  $("refused").textContent = reason;
  $("key").value = "";
  $("key").focus();
}

$("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await signIn($("key").value.trim());
  } catch (problem) {
    showSignIn(explain(problem));
  }
});
$("sign-out").addEventListener("click", () => showSignIn());

// The list.

async function follow() {
  following = new AbortController();
  const { signal } = following;
  for (let failures = 0; !signal.aborted;) {
    try {
      const options = { signal, onOpen: () => { failures = 0; setStatus(""); } };
      for await (const { event, data } of api.stream("api/handoffs/events", options)) {
        if (event === "list") handoffs.clear();
        data.changed.forEach((body) => handoffs.set(body.conversation_id, body));
        data.gone.forEach((id) => handoffs.delete(id));
        if (openId && !handoffs.has(openId)) leaveTalk("This conversation was handed back.");
        render();
      }
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status === 401 || problem.status === 403) {
        showSignIn("Your key is not valid any more.");
        return;
      }
    }
    if (signal.aborted) return;
    setStatus("Offline. Trying again …");
    await pause(Math.min(500 * 2 ** failures++, MAX_WAIT_MS));
  }
}

function setStatus(text) {
  $("status").hidden = !text;
  $("status").textContent = text;
}

const viewOf = (body) => (body.claimed_by === null ? "waiting" : body.claimed_by === me.id ? "mine" : "others");
const inQueue = (body) => !queue || (body.queue ?? "-") === queue;

function isUnread(body) {
  return body.last?.author === "user" && body.conversation_id !== openId && seen.get(body.conversation_id) !== body.last.id;
}

function render() {
  if (!me) return;
  const all = [...handoffs.values()].sort((a, b) => a.at - b.at);
  renderQueues(all);
  renderViews(all.filter(inQueue));
  renderList(all.filter((body) => inQueue(body) && viewOf(body) === view));
  const open = handoffs.get(openId);
  if (open) renderTalk(open);
  const waiting = all.filter((body) => viewOf(body) === "waiting").length;
  const calls = waiting + all.filter((body) => viewOf(body) === "mine" && isUnread(body)).length;
  document.title = calls ? `(${calls}) Desk` : "Desk";
  const told = `${waiting} waiting`;
  if ($("notice").textContent !== told) $("notice").textContent = told;
}

function renderQueues(all) {
  const counts = new Map();
  for (const body of all) {
    const name = body.queue ?? "-";
    counts.set(name, (counts.get(name) ?? 0) + (viewOf(body) === "waiting"));
  }
  if (queue && !counts.has(queue)) counts.set(queue, 0);
  const total = [...counts.values()].reduce((a, b) => a + b, 0);
  const rows = [["", `All queues (${total})`], ...[...counts].sort().map(([name, count]) => [name, `${name === "-" ? "No queue" : name} (${count})`])];
  const signature = JSON.stringify(rows);
  if ($("queue").dataset.rows === signature) return;
  $("queue").dataset.rows = signature;
  $("queue").replaceChildren(...rows.map(([value, text]) => make("option", { value }, text)));
  $("queue").value = queue;
}

function renderViews(all) {
  const buttons = Object.entries(VIEWS).map(([name, text]) => {
    const count = all.filter((body) => viewOf(body) === name).length;
    return [name, `${text} ${count}`];
  });
  if (!$("views").children.length) {
    $("views").append(...buttons.map(([name]) => make("button", { type: "button", onclick: () => { view = name; render(); } })));
  }
  buttons.forEach(([name, text], index) => {
    const button = $("views").children[index];
    if (button.textContent !== text) button.textContent = text;
    button.setAttribute("aria-pressed", String(view === name));
  });
}

function renderList(shown) {
  const focused = document.activeElement?.closest?.("#list button")?.dataset.id;
  $("list").replaceChildren(...shown.map(makeItem));
  $("empty").hidden = shown.length > 0;
  $("empty").textContent = { waiting: "Nobody waits.", mine: "You have no conversation.", others: "Nobody else has a conversation." }[view];
  if (focused) [...$("list").querySelectorAll("button")].find((each) => each.dataset.id === focused)?.focus();
}

function makeItem(body) {
  const minutes = Math.max(0, Math.floor((Date.now() / 1000 - body.at) / 60));
  const unread = isUnread(body);
  const isLong = minutes >= LONG_MINUTES && viewOf(body) === "waiting";
  const mark = unread ? make("span", { class: "mark" }, make("span", { class: "dot" }), make("span", { class: "hidden-text" }, "unread")) : null;
  const about = {
    type: "button",
    class: unread ? "unread" : null,
    "data-id": body.conversation_id,
    "aria-current": body.conversation_id === openId ? "true" : null,
    onclick: () => openTalk(body.conversation_id),
  };
  return make("li", {}, make("button", about,
    make("span", { class: "face", "aria-hidden": "true" }, initials(body)),
    make("span", { class: "name", dir: "auto" }, titleOf(body)),
    make("span", { class: isLong ? "since long" : "since" }, formatWait(minutes)),
    make("span", { class: "preview", dir: "auto" }, previewOf(body)),
    mark,
  ));
}

/** What tells one conversation from the next: the first thing that the customer has said of it. */
function titleOf(body) {
  const said = Object.values(body.slots).find((value) => typeof value === "string" && value && !value.includes("•"));
  return said ?? body.queue ?? "Conversation";
}

const shortName = (id) => `agent ${id.slice(-4)}`;
const initials = (body) => (body.queue ?? "?").slice(0, 2).toUpperCase();

function previewOf(body) {
  const holder = viewOf(body) === "others" ? `${nameOf(body.claimed_name ?? body.claimed_by)} · ` : "";
  return holder + (body.last?.text ?? body.reason);
}

function nameOf(by) {
  if (!by) return "Somebody";
  if (by === me?.name || by === me?.id) return "You";
  return /^(key|anon|user):/.test(by) ? shortName(by) : by;
}

function formatWait(minutes) {
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

$("queue").addEventListener("change", () => { queue = $("queue").value; render(); });
$("list").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...$("list").querySelectorAll("button")];
  items[items.indexOf(document.activeElement) + step]?.focus();
});

// The open conversation.

function openTalk(id) {
  if (openId === id) return;
  closeTalk();
  openId = id;
  talk = { id, messages: [], lastId: null, stop: new AbortController() };
  $("nothing").hidden = true;
  $("open").hidden = false;
  $("desk").classList.add("talking");
  $("text").value = drafts.get(id) ?? "";
  render();
  void followTalk(talk);
  (matchMedia("(max-width: 700px)").matches ? $("back") : $("text").disabled ? $("claim") : $("text")).focus();
}

/** What was said, then what is said, until somebody closes it or it leaves the desk. */
async function followTalk(opened) {
  const path = `api/conversations/${encodeURIComponent(opened.id)}`;
  const { signal } = opened.stop;
  const take = (said) => {
    opened.messages.push({ ...said, key: said.id, state: "said" });
    opened.lastId = said.id;
  };
  for (let failures = 0; !signal.aborted && handoffs.has(opened.id); failures += 1) {
    try {
      for (let after = opened.lastId ? null : 0; after !== null;) {
        const page = await api.get(`${path}/messages?after=${after}&limit=200`, { signal });
        page.messages.forEach(take);
        after = page.next;
      }
      if (signal.aborted) return;
      renderMessages();
      const options = { signal, lastEventId: opened.lastId ?? "0:0", onOpen: () => { failures = 0; } };
      for await (const { data } of api.stream(`${path}/events`, options)) {
        take(data);
        renderMessages();
      }
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status === 404) {
        leaveTalk("This conversation is not at the desk any more.");
        return;
      }
    }
    await pause(Math.min(500 * 2 ** failures, MAX_WAIT_MS));
  }
}

function closeTalk() {
  if (openId) drafts.set(openId, $("text").value);
  talk?.stop.abort();
  talk = openId = null;
  list.render([]);
  $("open").hidden = $("details").hidden = true;
  $("nothing").hidden = false;
  $("desk").classList.remove("talking");
}

function leaveTalk(text) {
  drafts.delete(openId);
  closeTalk();
  if (text) toast(text);
  render();
}

function renderTalk(body) {
  const held = viewOf(body);
  $("title").textContent = titleOf(body);
  $("where").textContent = [body.queue, body.reason].filter(Boolean).join(" · ");
  $("claim").hidden = held !== "waiting";
  $("release").hidden = held !== "mine";
  $("composer").hidden = held === "others";
  $("text").placeholder = held === "mine" ? "Write an answer" : "Write an answer, and it is yours";
  $("holder").hidden = held !== "others";
  $("holder").textContent = held === "others" ? `${nameOf(body.claimed_name ?? body.claimed_by)} has this conversation. You can read it.` : "";
  renderDetails(body);
  if (body.last) {
    seen.set(body.conversation_id, body.last.id);
    keep(SEEN, Object.fromEntries([...seen].slice(-500)));
  }
}

function renderDetails(body) {
  const signature = JSON.stringify([body.summary, body.slots, body.context, body.reason, body.queue]);
  $("details").hidden = false;
  if ($("details").dataset.shown === signature) return;
  $("details").dataset.shown = signature;
  const parts = [["Why", body.reason], ["Task", body.summary], ["Since", new Date(body.at * 1000).toLocaleString()]];
  $("details").replaceChildren(
    make("h3", {}, "Handoff"), makeFacts(parts),
    ...makeGroup("What is known", body.slots), ...makeGroup("For you", body.context),
  );
}

function makeGroup(title, values) {
  const rows = Object.entries(values).filter(([, value]) => value !== null);
  return rows.length ? [make("h3", {}, title), makeFacts(rows.map(([name, value]) => [name.replaceAll("_", " "), value]))] : [];
}

function makeFacts(rows) {
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  return make("dl", {}, ...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, shown(value)))));
}

function renderMessages() {
  const own = outgoing.get(openId) ?? [];
  const known = new Set(talk.messages.map((message) => message.message_id).filter(Boolean));
  const left = own.filter((message) => !known.has(message.key));
  outgoing.set(openId, left);
  const box = $("scroll");
  const isAtEnd = !box.querySelector("li") || box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  list.render([...talk.messages, ...left]);
  if (isAtEnd || left.length) box.scrollTop = box.scrollHeight;
}

$("about").addEventListener("click", () => {
  const isShown = $("desk").classList.toggle("about");
  $("about").setAttribute("aria-expanded", String(isShown));
});
$("back").addEventListener("click", backToList);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && openId) backToList();
});

function backToList() {
  const id = openId;
  closeTalk();
  render();
  const items = [...$("list").querySelectorAll("button")];
  (items.find((each) => each.dataset.id === id) ?? items[0] ?? $("queue")).focus();
}

// What is done in it.

const pathOf = (id) => `api/conversations/${encodeURIComponent(id)}/handoff`;

async function act(button, work) {
  button.disabled = true;
  try {
    return await work();
  } catch (problem) {
    toast(explain(problem));
    return null;
  } finally {
    button.disabled = false;
  }
}

$("claim").addEventListener("click", () => act($("claim"), async () => {
  await api.post(`${pathOf(openId)}/claim`);
  view = "mine";
  noteHolder(openId);
  $("text").focus();
}));

$("release").addEventListener("click", () => act($("release"), async () => {
  const id = openId;
  await api.post(`${pathOf(id)}/release`);
  handoffs.delete(id);
  // The list may have been quicker to say that it is gone.
  if (openId === id) leaveTalk("");
  toast("Handed back: the assistant goes on.");
  ($("list").querySelector("button") ?? $("queue")).focus();
}));

// The event comes a moment later; what is known already is shown at once.
function noteHolder(id) {
  const body = handoffs.get(id);
  if (body) handoffs.set(id, { ...body, claimed_by: me.id, claimed_name: me.name });
  render();
}

$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("text").value.trim();
  if (!text || !openId) return;
  $("text").value = "";
  drafts.delete(openId);
  const message = { key: makeId(), conversation: openId, author: "agent", by: me.name ?? me.id, text, at: Date.now() / 1000, state: "sending" };
  outgoing.set(openId, [...(outgoing.get(openId) ?? []), message]);
  renderMessages();
  void deliver(message);
});
$("text").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  $("composer").requestSubmit();
});

async function deliver(message) {
  const id = message.conversation;
  const body = { text: message.text, message_id: message.key };
  for (let tries = 1; ; tries += 1) {
    try {
      await api.post(`${pathOf(id)}/messages`, body);
      if (viewOf(handoffs.get(id) ?? { claimed_by: me.id }) === "waiting") {
        if (view === "waiting") view = "mine";
        noteHolder(id);
      }
      message.state = "said";
      break;
    } catch (problem) {
      message.state = problem.isPassing && tries < MAX_TRIES ? "waiting" : "failed";
      if (openId === id) renderMessages();
      if (message.state === "failed") {
        toast(explain(problem));
        return;
      }
      await pause(problem.retryAfter * 1000 || Math.min(500 * 2 ** tries, MAX_WAIT_MS));
    }
  }
  if (openId === id) renderMessages();
}

function explain(problem) {
  if (problem.status === 0) return "The server cannot be reached.";
  const holder = /: (.+) has it$/.exec(problem.detail ?? "");
  if (holder) return `${nameOf(holder[1])} has it already.`;
  if (problem.status === 401) return "This key is not known.";
  if (problem.status === 404) return "This conversation is not at the desk any more.";
  return [problem.title || problem.code, problem.remedy].filter(Boolean).join(". ");
}

let fading;
function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { $("toast").hidden = true; }, 6000);
}

setInterval(() => { if (me && !document.hidden) render(); }, 30_000);

try {
  await signIn(readKept(KEY));
} catch (problem) {
  showSignIn(problem.code === "role" ? "" : explain(problem));
}

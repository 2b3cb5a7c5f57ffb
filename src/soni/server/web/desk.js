// The desk: conversations that wait for a person. The list comes as events, and so does what is
// said in the open one.

import { Api, Problem, isAnonymous } from "./api.js";
import { InboxView } from "./desk-list.js";
import { TalkView } from "./desk-talk.js";
import { Drawer } from "./drawer.js";
import { Handoffs, shortenId } from "./handoffs.js";
import { Patience } from "./patience.js";

const TOAST_MS = 6000;
const AGAIN_MS = 30_000; // The list says how long somebody waits.

const $ = (id) => document.getElementById(id);

const api = new Api();
const drawer = new Drawer("desk"); // What stays in this tab, and no longer: the key, and what was read.
const handoffs = new Handoffs();
const patience = new Patience();
const inbox = new InboxView(handoffs, drawer, openTalk);
const talk = new TalkView(api, handoffs, { onSaid: noteAnswer, onLost: leaveTalk, onProblem: (problem) => toast(explain(problem)) });
let following = null;

// Signing in. On the machine itself, with --inspect, somebody unknown is let in.

async function signIn(key) {
  api.token = key;
  const found = await api.get("api/me");
  if (key && found.id === null) throw new Problem({ status: 401, code: "unauthenticated" });
  if (!found.roles.includes("agent")) {
    throw new Problem({ status: 403, code: "role", title: "This key has not the role `agent`" });
  }
  api.token = key ?? found.token;
  drawer.set("key", api.token, { isBrief: true });
  handoffs.me = found;
  $("me").textContent = found.name ?? shortenId(found.id);
  // On this machine somebody unknown has no key that they could sign in with again.
  $("sign-out").hidden = isAnonymous(api.token);
  $("sign-in").hidden = true;
  $("desk").hidden = false;
  render();
  void follow();
}

function showSignIn(reason = "") {
  following?.abort();
  handoffs.clear();
  talk.forget();
  drawer.remove("key");
  api.token = null;
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
  for (let failures = 0; !signal.aborted; failures += 1) {
    let problem = new Problem();
    try {
      const options = { signal, onOpen: () => { failures = 0; setStatus(""); } };
      for await (const { event, data } of api.stream("api/handoffs/events", options)) {
        handoffs.apply(event, data);
        if (talk.id && !handoffs.has(talk.id)) leaveTalk("This conversation was handed back.");
        render();
      }
    } catch (error) {
      problem = error;
      if (signal.aborted) return;
      if (problem.status === 401 || problem.status === 403) {
        showSignIn("Your key is not valid any more.");
        return;
      }
    }
    if (signal.aborted) return;
    setStatus("Offline. Trying again …");
    await patience.wait(problem, failures, signal);
  }
}

function setStatus(text) {
  $("status").hidden = !text;
  $("status").textContent = text;
}

function render() {
  if (!handoffs.me) return;
  inbox.render(talk.id);
  $("choose").hidden = !handoffs.list().length;
  $("desk").classList.toggle("idle", !handoffs.list().length);
  const open = handoffs.get(talk.id);
  if (!open) return;
  talk.render(open);
  inbox.markRead(open);
}

// The open conversation.

function openTalk(id) {
  if (talk.id === id) return;
  talk.open(id);
  render();
  talk.focus();
}

function leaveTalk(text) {
  talk.leave();
  if (text) toast(text);
  render();
}

/** Whoever speaks first has it. */
function noteAnswer(id) {
  const body = handoffs.get(id);
  if (!body || handoffs.placeOf(body) !== "waiting") return;
  if (inbox.place === "waiting") inbox.place = "mine";
  handoffs.noteClaim(id);
  render();
}

$("about").addEventListener("click", () => {
  const isShown = $("desk").classList.toggle("about");
  $("about").setAttribute("aria-expanded", String(isShown));
});
$("back").addEventListener("click", backToList);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && talk.id) backToList();
});

function backToList() {
  const { id } = talk;
  talk.close();
  render();
  inbox.focus(id);
}

// What is done in it.

const pathOf = (id) => `api/conversations/${encodeURIComponent(id)}/handoff`;

async function act(button, work) {
  button.disabled = true;
  try {
    await work(talk.id);
  } catch (problem) {
    toast(explain(problem));
  } finally {
    button.disabled = false;
  }
}

$("claim").addEventListener("click", () => act($("claim"), async (id) => {
  await api.post(`${pathOf(id)}/claim`);
  inbox.place = "mine";
  handoffs.noteClaim(id);
  render();
  $("text").focus();
}));

$("release").addEventListener("click", () => act($("release"), async (id) => {
  await api.post(`${pathOf(id)}/release`);
  handoffs.delete(id);
  // The list may have been quicker to say that it is gone.
  inbox.goOn();
  if (talk.id === id) leaveTalk("");
  else render();
  toast("Handed back: the assistant goes on.");
  inbox.focus();
}));

function explain(problem) {
  if (problem.status === 0) return "The server cannot be reached.";
  const holder = /: (.+) has it$/.exec(problem.detail ?? "");
  if (holder) return `${handoffs.nameOf(holder[1])} has it already.`;
  if (problem.status === 401) return "This key is not known.";
  if (problem.status === 404) return "This conversation is not at the desk any more.";
  return [problem.title || problem.code, problem.remedy].filter(Boolean).join(". ");
}

let fading;
function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { $("toast").hidden = true; }, TOAST_MS);
}

setInterval(() => { if (!document.hidden) render(); }, AGAIN_MS);

try {
  await signIn(drawer.get("key"));
} catch (problem) {
  showSignIn(problem.code === "role" ? "" : explain(problem));
}

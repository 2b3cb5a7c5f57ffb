// The chat page, alone in its window or in the widget's frame.

import { Api, ROOT, isAnonymous } from "./api.js";
import { Conversation } from "./conversation.js";
import { Drawer } from "./drawer.js";
import { MessageList, make, offerAnswers } from "./messages.js";
import { baseOf, explainProblem, fill, getWords, nameLanguage, pickText } from "./words.js";

const find = (id) => document.getElementById(id);
const kept = new Drawer("page");
// What follows the # is never sent to a server: a widget's wishes, and a conversation's token.
const wishes = new URLSearchParams(location.hash.slice(1));
const isWidget = wishes.has("widget");
const isFramed = isWidget && parent !== window;
const root = document.documentElement;
const narrow = matchMedia("(max-width: 360px)");

const page = { title: "", greeting: "", suggestions: [], languages: [], language: "en", longest: 4000, open_to: null };
const talk = new Conversation(new Api());
let language = navigator.language;
let words = getWords(language);
let isAtEnd = true;
let announced = null;

const list = new MessageList(find("messages"), {
  onPick: pick,
  onRetry: (message) => talk.retry(message.key),
  nameOf: (message) =>
    message.author === "agent" ? nameOf(message.by) ?? words.staff : message.author === "application" ? words.note : null,
});

/** What a person of the desk is called, if it is a name. Who has no key has only an id. */
function nameOf(by) {
  return by && !/^(anon|key|user):/.test(by) ? by : null;
}

function chooseLanguage() {
  const known = page.languages;
  const wanted = [wishes.get("language"), kept.get("language"), ...navigator.languages];
  return wanted.find((each) => known.includes(each)) ?? wanted.map(baseOf).find((each) => known.includes(each)) ?? page.language;
}

// What the page looks like.

function applyWishes() {
  root.classList.toggle("widget", isWidget);
  find("close").hidden = !isWidget;
  // The widget knows what can be read on its colour.
  for (const [variable, wish] of [["--accent", "accent"], ["--on-accent", "ink"]]) {
    if (/^#[0-9a-f]{6}$/i.test(wishes.get(wish) ?? "")) root.style.setProperty(variable, wishes.get(wish));
  }
  setTheme(wishes.get("theme") ?? kept.get("theme"));
}

function setTheme(theme) {
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  find("theme-name").textContent = isDark() ? words.light : words.dark;
}

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function showWords() {
  words = getWords(language);
  list.setWords(words);
  talk.language = page.languages.length ? language : null;
  root.lang = language;
  const title = wishes.get("title") || pickText(page.title, language);
  document.title = title;
  find("title").textContent = title;
  find("greeting").textContent = pickText(page.greeting, language) || words.hello;
  find("suggestions").replaceChildren(
    ...page.suggestions.map((suggestion) => {
      const text = pickText(suggestion, language);
      const begin = () => {
        find("welcome").hidden = true; // A second click says nothing more.
        say(text);
      };
      return make("button", { type: "button", onclick: begin }, text);
    }),
  );
  for (const each of document.querySelectorAll("[data-word]")) each.textContent = words[each.dataset.word];
  const labels = { "menu-button": "menu", close: "close", send: "send", text: "message", log: "conversation", language: "language", "device-link": "device" };
  for (const [id, word] of Object.entries(labels)) find(id).setAttribute("aria-label", words[word]);
  find("text").placeholder = words.placeholder;
  find("typing-text").textContent = `${title} ${words.typing}`;
  setTheme(root.dataset.theme);
  fitText();
  showStatus();
}

function showStatus() {
  const status = find("status");
  status.classList.toggle("offline", !talk.isOnline);
  const name = nameOf(talk.agent);
  const answering = { waiting: words.personWaits, answering: name ? fill(words.personNamed, { name }) : words.person, back: words.personLeft };
  const text = !talk.isOnline ? words.offline : answering[talk.desk] ?? words.online;
  if (status.textContent !== text) status.textContent = text; // It is read out each time it is set.
}

function showLanguages() {
  const select = find("language");
  select.hidden = page.languages.length < 2;
  const name = narrow.matches ? (code) => code.toUpperCase() : nameLanguage;
  select.replaceChildren(...page.languages.map((code) => make("option", { value: code, selected: code === language }, name(code))));
}

// What is said.

let isDue = false;

function showSoon() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(show);
}

function show() {
  isDue = false;
  const messages = offerAnswers(talk.messages, talk.isTyping ? null : talk.waiting);
  const hadFocus = find("messages").contains(document.activeElement);
  list.render(messages);
  if (hadFocus && document.activeElement === document.body) focusText();
  const isEmpty = talk.isLoaded && messages.length === 0;
  find("welcome").hidden = !isEmpty;
  find("typing").hidden = !talk.isTyping || messages.at(-1)?.state === "draft";
  find("restart").disabled = isEmpty && !talk.id;
  // A key or a signed token opens more than this conversation: it is no part of an address.
  find("device").hidden = !talk.id || !isAnonymous(talk.api.token);
  announce(messages);
  showStatus();
  follow(messages);
}

/** Tell screen readers what was said since the page was loaded, once it is said to the end. */
function announce(messages) {
  const said = messages.filter((message) => message.author !== "user" && message.state === "said");
  if (announced === null) {
    if (talk.isLoaded) announced = new Set(said.map((message) => message.key));
    return;
  }
  for (const message of said) {
    if (announced.has(message.key)) continue;
    announced.add(message.key);
    find("said").append(make("p", {}, message.text));
    if (isWidget) tellFrame("said");
  }
  while (find("said").childElementCount > 8) find("said").firstElementChild.remove();
}

function follow(messages) {
  if (isAtEnd || messages.at(-1)?.state === "sending") scrollToEnd();
  find("newest").hidden = isAtEnd;
}

function scrollToEnd() {
  const log = find("log");
  log.scrollTop = log.scrollHeight;
  isAtEnd = true;
}

function say(text) {
  find("notice").hidden = true;
  isAtEnd = true;
  void ready.then(() => talk.send({ text }));
  if (document.activeElement !== find("text")) focusText();
}

function pick(label, message) {
  find("notice").hidden = true;
  isAtEnd = true;
  void ready.then(() => talk.send(message.ui.isSaid ? { text: label } : { press: label, turn: message.turn }));
  focusText();
}

/** On a phone the keyboard would cover what is to be read next. */
function focusText() {
  (matchMedia("(pointer: coarse)").matches ? find("log") : find("text")).focus({ preventScroll: true });
}

function fitText() {
  const text = find("text");
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight, 144)}px`;
  const [length, { longest }] = [[...text.value.trim()].length, page];
  const isTooLong = length > longest;
  find("send").disabled = !length || isTooLong;
  text.setAttribute("aria-invalid", String(isTooLong));
  find("too-long").hidden = !isTooLong;
  find("too-long").textContent = isTooLong ? fill(words.tooLong, { length: length.toLocaleString(language), longest: longest.toLocaleString(language) }) : "";
}

function showNotice(text) {
  find("notice").textContent = text;
  find("notice").hidden = false;
}

function tellFrame(event, more = {}) {
  if (parent !== window) parent.postMessage({ soni: event, ...more }, "*");
}

// What people do.

find("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = find("text").value.trim();
  fitText();
  if (find("send").disabled) return;
  find("text").value = "";
  kept.remove("draft");
  fitText();
  say(text);
});

find("text").addEventListener("input", () => {
  kept.set("draft", find("text").value);
  fitText();
});

find("text").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  find("composer").requestSubmit();
});

find("log").addEventListener("scroll", () => {
  const { scrollTop, clientHeight, scrollHeight } = find("log");
  isAtEnd = scrollHeight - scrollTop - clientHeight < 60;
  if (isAtEnd) find("newest").hidden = true;
}, { passive: true });

new ResizeObserver(() => isAtEnd && scrollToEnd()).observe(find("messages"));
new ResizeObserver(() => isAtEnd && scrollToEnd()).observe(find("log"));
find("newest").addEventListener("click", () => {
  scrollToEnd();
  find("newest").hidden = true;
  focusText();
});

find("menu").addEventListener("beforetoggle", () => {
  const { bottom, right } = find("menu-button").getBoundingClientRect();
  find("menu").style.top = `${bottom + 4}px`;
  find("menu").style.right = `${innerWidth - right}px`;
});

find("menu").addEventListener("click", () => find("menu").hidePopover());

find("restart").addEventListener("click", () => {
  announced = new Set();
  find("said").replaceChildren();
  talk.leave();
  focusText();
});

find("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  kept.set("theme", theme);
  setTheme(theme);
});

find("language").addEventListener("change", (event) => {
  language = event.target.value;
  kept.set("language", language);
  showWords();
  showSoon();
});

narrow.addEventListener("change", showLanguages);

find("device").addEventListener("click", () => {
  const link = new URL(ROOT);
  link.hash = new URLSearchParams({ conversation: talk.id, token: talk.api.token });
  find("device-link").value = link.href;
  find("copy").textContent = words.copy;
  find("device-dialog").showModal();
});

find("copy").addEventListener("click", async () => {
  find("device-link").select();
  try {
    await navigator.clipboard.writeText(find("device-link").value);
    find("copy").textContent = words.copied;
  } catch {
    find("copy").textContent = words.copyFailed; // It is selected.
  }
});

find("close").addEventListener("click", () => tellFrame("close"));

addEventListener("keydown", (event) => {
  if (event.key === "Tab") root.dataset.keys = "";
  if (event.key === "Escape" && isWidget && !document.querySelector(":popover-open, dialog[open]")) tellFrame("close");
});

addEventListener("message", ({ source, data }) => {
  if (source !== parent || !isFramed) return;
  if (data?.soni === "opened") focusText();
  if (data?.soni === "token" && typeof data.token === "string" && data.token) {
    talk.keepToken(data.token);
    find("notice").hidden = true;
    if (talk.isRefused) void talk.resume();
  }
});

// What the server tells.

talk.addEventListener("change", showSoon);
talk.addEventListener("status", showStatus);
talk.addEventListener("problem", ({ detail }) => {
  showNotice(explainProblem(words, detail.code));
});
talk.addEventListener("gone", () => showNotice(words.gone));
talk.addEventListener("unauthenticated", () => {
  if (isFramed && wishes.has("token")) {
    // The page around has given us a token, and can give us another one.
    showNotice(words.signedOut);
    tellFrame("token");
  } else if (!talk.api.token && isOpen()) {
    talk.leave(); // It is a conversation of somebody who had a key here.
    showNotice(words.gone);
  } else askForKey(talk.api.token !== null);
});

/** Whether somebody unknown may talk here. */
function isOpen() {
  return page.open_to?.includes("client") ?? false;
}

function askForKey(isWrong) {
  const dialog = find("key-dialog");
  if (dialog.open) return;
  find("key").value = "";
  find("key-about").textContent = isWrong ? words.keyWrong : words.keyAbout;
  ask(dialog, () => {
    talk.keepToken(find("key").value.trim());
    void talk.resume();
  });
}

/** Show a dialog; `onYes` if it was answered by its main button. */
function ask(dialog, onYes = null) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const isYes = dialog.returnValue === "yes";
      if (isYes) onYes?.();
      resolve(isYes);
    }, { once: true });
  });
}

/** Go on with the conversation of a link. Nobody is led out of their own without being asked. */
async function takeLink() {
  const [id, token] = [wishes.get("conversation"), wishes.get("token")];
  // Neither the history of the browser nor somebody who looks over a shoulder is to see a token.
  if (id || token) history.replaceState(null, "", location.pathname + location.search);
  if (!id) {
    if (token && isFramed) talk.keepToken(token);
    return;
  }
  if (!isAnonymous(token) || talk.keptId === id) return;
  if (talk.isKept && !(await ask(find("adopt-dialog")))) return;
  talk.adopt(id, token);
  showNotice(words.linked);
}

async function begin() {
  applyWishes();
  showWords();
  find("text").value ||= kept.get("draft") ?? "";
  fitText();
  if (!isWidget && matchMedia("(pointer: fine)").matches) find("text").focus();
  // Without it the page goes on in its own words.
  Object.assign(page, await new Api().get("web/page.json").catch(() => ({})));
  language = chooseLanguage();
  showWords();
  showLanguages();
  if (page.logo) {
    find("logo").src = page.logo;
    find("logo").hidden = false;
  }
  find("inspect").hidden = isWidget || !page.open_to?.includes("author");
  await takeLink();
  void talk.resume();
  if (!talk.api.token && page.open_to && !isOpen()) askForKey(false);
  tellFrame("ready");
}

// What is said meanwhile waits: it belongs to the conversation that is being looked for.
const ready = begin();

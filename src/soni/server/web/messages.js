// Messages as elements. Whatever was said is text: nothing of it is ever read as HTML.

const LINK = /\bhttps?:\/\/[^\s<>"']+/g;
const TRAILING = /[.,;:!?)\]}»]+$/;
const PICTURE = /^(https:|data:image\/(png|jpeg|gif|webp|avif);)/i;
const MOST_BUTTONS = 4; // More of them are easier to read below each other.
const MOST_CHOICES = 10;
const LONG_LABEL = 24;
const GROUP_SECONDS = 300;
const PAUSE_SECONDS = 1800; // After it the time is told again.

/** An element with attributes and children; texts become text nodes. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A text as nodes, its web addresses as links that tell the other site nothing. */
export function linkText(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(LINK)) {
    const address = found[0].replace(TRAILING, "");
    if (!URL.canParse(address)) continue;
    nodes.push(text.slice(end, found.index));
    nodes.push(make("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow ugc" }, address));
    end = found.index + address.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== "");
}

/** A part of a text. The server counts signs; of a rare one JavaScript has two units. */
export function cutText(text, start, end) {
  return [...text].slice(start, end).join("");
}

/** The address of a picture if it is one that may be shown, else null. */
export function readPicture(address) {
  try {
    const url = new URL(address, document.baseURI);
    return PICTURE.test(url.href) || url.origin === location.origin ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * Shows messages in an element, and changes only what has changed.
 *
 * options: `words` (texts by name), `onPick(label, message)` when an option is pressed; without it
 * nothing can be pressed; `onRetry(message)`; `nameOf(message)` for who speaks; `canPick(message)`:
 * whether its options can still be pressed, by default those of the last message with options
 * after which the user said nothing.
 */
export class MessageList {
  #shown = new Map();
  #options;

  constructor(element, options = {}) {
    this.element = element;
    this.#options = options;
    element.classList.add("messages");
  }

  /** Use other texts from the next time on. */
  setWords(words) {
    this.#options.words = words;
    this.#shown.forEach((shown) => (shown.signature = null));
  }

  render(messages) {
    const active = this.#options.onPick ? findActive(messages) : null;
    const kept = new Set();
    messages.forEach((message, index) => {
      const look = this.#describe(message, messages[index - 1], messages[index + 1], message === active);
      const signature = JSON.stringify([look, message.text, message.ui, message.state, message.by, message.asksConsent]);
      let shown = this.#shown.get(message.key);
      if (shown?.signature !== signature) {
        const element = this.#make(message, look);
        shown?.element.replaceWith(element);
        shown = { element, signature };
        this.#shown.set(message.key, shown);
      }
      if (this.element.children[index] !== shown.element) {
        this.element.insertBefore(shown.element, this.element.children[index] ?? null);
      }
      kept.add(message.key);
    });
    for (const [key, { element }] of this.#shown) {
      if (kept.has(key)) continue;
      element.remove();
      this.#shown.delete(key);
    }
  }

  #describe(message, before, after, isActive) {
    const isGrouped = (a, b) => a && b && a.author === b.author && a.by === b.by && b.at - a.at < GROUP_SECONDS;
    return {
      isFirst: !isGrouped(before, message),
      isLast: !isGrouped(message, after),
      isActive: this.#options.canPick ? this.#options.canPick(message) : isActive,
      picked: after?.author === "user" ? after.text : null,
      when: !before || message.at - before.at > PAUSE_SECONDS ? this.#formatTime(message.at) : null,
      name: this.#options.nameOf?.(message) ?? null,
    };
  }

  #formatTime(seconds) {
    const at = new Date(seconds * 1000);
    const isToday = at.toDateString() === new Date().toDateString();
    const style = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    // The page's language, as the reader's region writes it: 13:42 in London, 1:42 PM in Boston.
    const { lang } = document.documentElement;
    const isOwn = navigator.language.split("-")[0] === lang.split("-")[0];
    return new Intl.DateTimeFormat(isOwn || !lang ? navigator.language : lang, style).format(at);
  }

  #make(message, look) {
    const { words = {}, onRetry } = this.#options;
    const classes = ["message", message.author, message.state ?? "said"];
    if (look.isFirst) classes.push("first");
    if (look.isLast) classes.push("last");
    const item = make("li", { class: classes.join(" "), "data-key": message.key });
    if (look.when) item.append(make("time", { class: "when", datetime: new Date(message.at * 1000).toISOString() }, look.when));
    if (look.isFirst && look.name) item.append(make("span", { class: "from" }, look.name));
    const text = message.ui?.message ?? message.text;
    if (text) item.append(make("div", { class: "bubble", dir: "auto" }, ...linkText(text)));
    if (message.ui) item.append(...this.#makeUi(message, look));
    if (message.state === "waiting") item.append(make("span", { class: "note" }, words.waiting ?? "…"));
    if (message.state === "failed") {
      const again = onRetry && make("button", { type: "button", onclick: () => onRetry(message) }, words.retry ?? "");
      item.append(make("span", { class: "note" }, words.failed ?? "", again));
    }
    return item;
  }

  #makeUi(message, look) {
    const { ui } = message;
    const parts = [];
    if (ui.type === "carousel") {
      const cards = (ui.cards ?? []).map((card) => this.#makeCard(card, message, look));
      const about = { class: "carousel", role: "group", tabindex: "0", "aria-label": ui.title ?? this.#options.words?.choices ?? "" };
      parts.push(make("div", about, ...cards));
    } else if (ui.type === "card") {
      return [this.#makeCard(ui, message, look)];
    } else if (ui.image) parts.push(makePicture(ui));
    // A quick reply has done its work once something was said.
    const isOver = ui.type === "quick_replies" && !look.isActive && this.#options.onPick;
    if (ui.options?.length && !isOver) parts.push(this.#makeOptions(ui.options, message, look, ui.type));
    return parts;
  }

  #makeCard(card, message, look) {
    const body = make("div", { class: "body" });
    if (card.title) body.append(make("span", { class: "title", dir: "auto" }, card.title));
    if (card.text) body.append(make("span", { class: "text", dir: "auto" }, ...linkText(card.text)));
    const [option, ...others] = card.options ?? [];
    // A button that says again what stands above it is only in the way.
    const isRepeated = option && !others.length && card.title && option.label.toLowerCase().includes(card.title.toLowerCase());
    const short = isRepeated ? this.#options.words?.choose : null;
    const options = option ? this.#makeOptions(card.options, message, look, "card", short) : null;
    return make("div", { class: "card" }, card.image ? makePicture(card) : null, body.hasChildNodes() ? body : null, options);
  }

  /** Options as buttons, of which one can be pressed once; `short` is shown in place of a label. */
  #makeOptions(options, message, look, type, short = null) {
    const isList = type === "list" || (type === "buttons" && options.length > MOST_BUTTONS);
    const pick = (label) => {
      const shown = this.#shown.get(message.key);
      // The page shows what came of it a moment later; a second click must not be a second press.
      for (const button of shown.element.querySelectorAll(".options button")) button.disabled = true;
      shown.signature = null;
      this.#options.onPick?.(label, message);
    };
    const kind = message.asksConsent ? " consent" : type === "quick_replies" ? " quick" : isList ? " list" : "";
    const buttons = options.map((option, index) => {
      const number = isList ? make("span", { class: "number", "aria-hidden": "true" }, `${index + 1}`) : null;
      const about = {
        type: "button",
        class: isSame(option.label, look.picked) ? "picked" : null,
        disabled: !look.isActive,
        onclick: () => pick(option.label),
        "aria-label": short ? `${short}: ${option.label}` : null,
      };
      return make("button", about, number, make("span", { dir: "auto" }, short ?? option.label));
    });
    return make("div", { class: `options${kind}`, role: "group", "aria-label": this.#options.words?.choices ?? "" }, ...buttons);
  }
}

const CONSENT = ["confirm", "cancel", "limit"];

/**
 * The messages, with buttons at a question that is answered by yes or no: consent is never typed alone;
 * and with a list where one of several things is asked for. An answer stands under nothing but its own
 * question, so both must be of the same turn.
 */
export function offerAnswers(messages, waiting) {
  const place = messages.findLastIndex((message) => message.state !== "failed");
  const last = messages[place];
  const isAsked = last && waiting && last.author !== "user" && last.turn === waiting.turn;
  if (isAsked && waiting.choices && !hasOptions(last.ui)) last.choices = waiting.choices; // also once it is answered
  const shown = messages.map((each) => (each.choices ? { ...each, ui: { ...each.ui, ...listChoices(each) } } : each));
  if (!isAsked || !waiting.options || !CONSENT.includes(waiting.kind)) return shown;
  const options = waiting.options.map((label) => ({ label }));
  const ui = hasOptions(last.ui) ? last.ui : { message: last.text, ...last.ui, type: "buttons", options };
  shown[place] = { ...last, ui, asksConsent: true };
  return shown;
}

/** A question with its choices as a list. The text has them too, numbered: there they are left out. */
function listChoices({ text, ui, choices }) {
  const lines = (ui?.message ?? text).split("\n");
  const isChoice = (line) => choices.includes(line.replace(/^\d+\. /, ""));
  const [first, end] = [lines.findIndex(isChoice), lines.findLastIndex(isChoice) + 1];
  const isShort = choices.length <= MOST_CHOICES;
  const head = first < 0 ? lines : lines.slice(0, first);
  // Of a long list the text shows a part, and says how to see more.
  const tail = first < 0 || isShort ? [] : lines.slice(end);
  const labels = isShort || first < 0 ? choices.slice(0, MOST_CHOICES) : lines.slice(first, end).filter(isChoice).map((line) => line.replace(/^\d+\. /, ""));
  const type = labels.length > MOST_BUTTONS || labels.some((label) => label.length > LONG_LABEL) ? "list" : "quick_replies";
  return { message: [...head, ...tail].join("\n"), type, options: labels.map((label) => ({ label })), isSaid: true };
}

/** The message whose options can be pressed, if any. */
function findActive(messages) {
  for (const message of [...messages].reverse()) {
    if (message.state === "failed") continue;
    if (message.author === "user") return null;
    if (hasOptions(message.ui)) return message;
  }
  return null;
}

function hasOptions(ui) {
  return Boolean(ui && (ui.options?.length || ui.cards?.some((card) => card.options?.length)));
}

function isSame(label, said) {
  return said !== null && label.trim().toLowerCase() === said.trim().toLowerCase();
}

function makePicture({ image, alt, title }) {
  const address = readPicture(image);
  if (address === null) return null;
  return make("img", { class: "picture", src: address, alt: alt ?? title ?? "", loading: "lazy", referrerpolicy: "no-referrer" });
}

// The list at the left of the desk: who waits, by queue, and who has written.

import { markOf, spell, titleOf } from "./handoffs.js";
import { make } from "./messages.js";

const LONG_MINUTES = 10;
const MOST_SEEN = 500;
const VIEWS = { waiting: "Waiting", mine: "Mine", others: "Others" };
const EMPTY = { waiting: "Nobody waits.", mine: "You have no conversation.", others: "Nobody else has a conversation." };

const $ = (id) => document.getElementById(id);

/** Shows handoffs; `onOpen(id)` when one is chosen. `drawer` keeps what was read. */
export class InboxView {
  place = "waiting";
  #queue = "";
  #openId = null;
  #seen;

  constructor(handoffs, drawer, onOpen) {
    this.handoffs = handoffs;
    this.drawer = drawer;
    this.onOpen = onOpen;
    this.#seen = new Map(Object.entries(drawer.get("seen") ?? {}));
    $("queue").addEventListener("change", () => {
      this.#queue = $("queue").value;
      this.render(this.#openId);
    });
    $("list").addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const items = [...$("list").querySelectorAll("button")];
      items[items.indexOf(document.activeElement) + step]?.focus();
    });
  }

  render(openId) {
    this.#openId = openId;
    const { handoffs } = this;
    const all = handoffs.list();
    const inQueue = all.filter((body) => !this.#queue || (body.queue ?? "-") === this.#queue);
    this.#renderQueues(all);
    this.#renderViews(inQueue);
    this.#renderList(inQueue.filter((body) => handoffs.placeOf(body) === this.place));
    const waiting = all.filter((body) => handoffs.placeOf(body) === "waiting").length;
    const calls = waiting + all.filter((body) => handoffs.placeOf(body) === "mine" && this.#isUnread(body)).length;
    document.title = calls ? `(${calls}) Desk` : "Desk";
    const told = `${waiting} waiting`;
    if ($("notice").textContent !== told) $("notice").textContent = told;
  }

  /** What was said last has been read. */
  markRead(body) {
    if (!body.last) return;
    this.#seen.set(body.conversation_id, body.last.id);
    this.drawer.set("seen", Object.fromEntries([...this.#seen].slice(-MOST_SEEN)), { isBrief: true });
  }

  /** Where there is something to do: those who wait, once nothing is left of mine. */
  goOn() {
    const has = (place) => this.handoffs.list().some((body) => this.handoffs.placeOf(body) === place);
    if (!has(this.place) && has("waiting")) this.place = "waiting";
  }

  /** Put the focus on a conversation, or on what is there instead. */
  focus(id = null) {
    const items = [...$("list").querySelectorAll("button")];
    const view = $("views").querySelector('[aria-pressed="true"]');
    (items.find((each) => each.dataset.id === id) ?? items[0] ?? view).focus();
  }

  #isUnread(body) {
    return body.last?.author === "user" && body.conversation_id !== this.#openId && this.#seen.get(body.conversation_id) !== body.last.id;
  }

  #renderQueues(all) {
    const counts = new Map();
    for (const body of all) {
      const name = body.queue ?? "-";
      counts.set(name, (counts.get(name) ?? 0) + (this.handoffs.placeOf(body) === "waiting"));
    }
    if (this.#queue && !counts.has(this.#queue)) counts.set(this.#queue, 0);
    const total = [...counts.values()].reduce((a, b) => a + b, 0);
    const rows = [["", `All queues (${total})`], ...[...counts].sort().map(([name, count]) => [name, `${name === "-" ? "No queue" : spell(name)} (${count})`])];
    const signature = JSON.stringify(rows);
    if ($("queue").dataset.rows === signature) return;
    $("queue").dataset.rows = signature;
    $("queue").replaceChildren(...rows.map(([value, text]) => make("option", { value }, text)));
    $("queue").value = this.#queue;
  }

  #renderViews(all) {
    const buttons = Object.entries(VIEWS).map(([name, text]) => {
      const count = all.filter((body) => this.handoffs.placeOf(body) === name).length;
      return [name, `${text} ${count}`];
    });
    if (!$("views").children.length) {
      const choose = (name) => () => {
        this.place = name;
        this.render(this.#openId);
      };
      $("views").append(...buttons.map(([name]) => make("button", { type: "button", onclick: choose(name) })));
    }
    buttons.forEach(([name, text], index) => {
      const button = $("views").children[index];
      if (button.textContent !== text) button.textContent = text;
      button.setAttribute("aria-pressed", String(this.place === name));
    });
  }

  #renderList(shown) {
    const focused = document.activeElement?.closest?.("#list button")?.dataset.id;
    $("list").replaceChildren(...shown.map((body) => this.#makeItem(body)));
    $("empty").hidden = shown.length > 0;
    $("empty").textContent = EMPTY[this.place];
    if (focused) [...$("list").querySelectorAll("button")].find((each) => each.dataset.id === focused)?.focus();
  }

  #makeItem(body) {
    const minutes = Math.max(0, Math.floor((Date.now() / 1000 - body.at) / 60));
    const unread = this.#isUnread(body);
    const isLong = minutes >= LONG_MINUTES && this.handoffs.placeOf(body) === "waiting";
    const mark = unread ? make("span", { class: "mark" }, make("span", { class: "dot" }), make("span", { class: "hidden-text" }, "unread")) : null;
    const about = {
      type: "button",
      class: unread ? "unread" : null,
      "data-id": body.conversation_id,
      "aria-current": body.conversation_id === this.#openId ? "true" : null,
      onclick: () => this.onOpen(body.conversation_id),
    };
    return make("li", {}, make("button", about,
      make("span", { class: "face", "aria-hidden": "true" }, markOf(body).slice(0, 2).toUpperCase()),
      make("span", { class: "name" }, [titleOf(body), body.task].filter(Boolean).join(" · ")),
      make("span", { class: isLong ? "since long" : "since" }, formatWait(minutes)),
      make("span", { class: "preview", dir: "auto" }, this.#preview(body)),
      mark,
    ));
  }

  #preview(body) {
    const holder = this.handoffs.placeOf(body) === "others" ? `${this.handoffs.nameHolder(body)} · ` : "";
    return holder + (body.words ?? body.reason);
  }
}

function formatWait(minutes) {
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

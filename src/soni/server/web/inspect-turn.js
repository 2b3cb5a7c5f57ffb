// One turn: what was understood, decided and done, and the stack and slots after it.

import { cutText, make } from "./messages.js";

const SPEAKERS = { user: "user", button: "button", author: "typed by hand" };
const SOURCES = { local: "understood offline", replay: "understood as before" };
const HUES = 5;
const SHORT = 28; // Letters of a value that stay on one line.

/** A number of things: `1 step`, `2 steps`. */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A value as a short text. */
export function showValue(value) {
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "";
}

/** Seconds as people read them. */
export function showSeconds(seconds) {
  if (seconds >= 1) return `${seconds.toFixed(2)} s`;
  const milliseconds = seconds * 1000;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}

function part(title, number, ...content) {
  const head = make("h3", {}, title, number === null ? null : make("span", { class: "count" }, `${number}`));
  return make("section", { class: "part", "aria-label": title }, head, ...content);
}

function empty(text) {
  return make("p", { class: "empty small" }, text);
}

function listPairs(pairs) {
  const shown = Object.entries(pairs ?? {}).filter(([, value]) => value !== null && value !== undefined);
  if (!shown.length) return make("span", { class: "muted" }, "nothing");
  const rows = shown.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, showValue(value))]);
  return make("dl", { class: "pairs" }, ...rows);
}

/** Renders turns into an element; `onSlot(slot)` and `onFlow(flow)` when one is chosen. */
export class TurnView {
  #chosen = null;

  constructor(element, { onSlot, onFlow }) {
    this.element = element;
    this.onSlot = onSlot;
    this.onFlow = onFlow;
  }

  /** The turn, and the slot whose words are marked, if it is still there. */
  render(turn, chosen = null) {
    this.#chosen = chosen;
    if (!turn) {
      this.element.replaceChildren(empty("Nothing has happened yet."));
      return;
    }
    const parts = turn.status === "ok" ? [
      this.#makeHead(turn), this.#makeStack(turn), this.#makeSlots(turn), this.#makeCommands(turn),
      this.#makeActions(turn), this.#makeHappenings(turn),
    ] : [part(turn.status === "reset" ? "The conversation was reset" : `Nothing came of this turn: ${turn.error ?? turn.status}`, null)];
    this.element.replaceChildren(...parts);
  }

  #makeHead(turn) {
    const facts = make("p", { class: "facts small muted" });
    const who = SPEAKERS[turn.by] ?? `application: ${turn.by}`;
    const time = new Date(turn.at * 1000);
    facts.append(make("span", {}, who), make("time", { datetime: time.toISOString() }, time.toLocaleTimeString()));
    if (turn.source && !["given", "api"].includes(turn.source)) facts.append(make("span", {}, SOURCES[turn.source] ?? `understood by ${turn.source}`));
    if (turn.language) facts.append(make("span", {}, turn.language));
    const head = make("section", { class: "part head", "aria-label": "Message" });
    if (turn.message) head.append(this.#makeQuote(turn));
    head.append(facts);
    if (typeof turn.confidence === "number" && turn.message) head.append(makeConfidence(turn.confidence));
    if (turn.reasoning) head.append(make("p", { class: "small" }, turn.reasoning));
    head.append(...makeTimings(turn));
    return head;
  }

  /** The message with the words that filled a slot marked, each with the slot's name. */
  #makeQuote(turn) {
    const spans = turn.slots
      .filter((slot) => slot.seq === turn.seq && slot.evidence?.span)
      .map((slot) => ({ slot, start: slot.evidence.span[0], end: slot.evidence.span[1] }))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    const quote = make("blockquote", { class: spans.length ? "quote marked" : "quote", dir: "auto" });
    let end = 0;
    const names = [...new Set(spans.map(({ slot }) => slot.name))];
    for (const span of spans) {
      if (span.start < end) continue; // Another slot has these words: its row says so.
      const sharing = spans.filter((other) => other.start < span.end && other.end > span.start);
      const label = [...new Set(sharing.map((other) => other.slot.name))].join(", ");
      quote.append(cutText(turn.message, end, span.start));
      const hue = names.indexOf(span.slot.name) % HUES;
      quote.append(make("mark", { class: `hue-${hue}` }, cutText(turn.message, span.start, span.end), make("small", {}, label)));
      end = span.end;
    }
    quote.append(cutText(turn.message, end));
    return quote;
  }

  #makeStack(turn) {
    if (!turn.stack.length) return part("Stack", null, empty(turn.after.handoff ? "A person has the conversation." : "No task is open."));
    const depth = new Map();
    const items = turn.stack.map((flow) => {
      depth.set(flow.flow_id, flow.called_by && depth.has(flow.called_by) ? depth.get(flow.called_by) + 1 : 0);
      const state = flow.active ? make("span", { class: "badge accent" }, turn.after.handoff ? "handed over" : "active")
        : flow.paused ? make("span", { class: "badge warn" }, "paused") : make("span", { class: "badge" }, "calling");
      const button = make("button", { type: "button", class: "link", onclick: () => this.onFlow(flow.flow) }, flow.flow);
      const step = make("span", { class: "step mono small" }, flow.step ?? "");
      return make("li", { class: `level-${Math.min(depth.get(flow.flow_id), 3)}${flow.active ? " active" : ""}` }, button, step, state);
    });
    return part("Stack", turn.stack.length, make("ol", { class: "stacked", reversed: true }, ...items.reverse()));
  }

  #makeSlots(turn) {
    if (!turn.slots.length) return part("Slots", null, empty("No slot has a value."));
    const groups = Map.groupBy(turn.slots, (slot) => slot.flow_id);
    const bodies = [...groups.values()].map((slots) => {
      const [{ flow, open }] = slots;
      const title = make("th", { colspan: "3", scope: "colgroup" }, flow ?? "conversation", open ? null : make("span", { class: "badge" }, "ended"));
      return make("tbody", {}, make("tr", {}, title), ...slots.map((slot) => this.#makeSlot(slot, turn)));
    });
    return part("Slots", turn.slots.filter((slot) => slot.open).length, make("table", { class: "slots" }, ...bodies));
  }

  #makeSlot(slot, turn) {
    const isChosen = this.#chosen?.flow_id === slot.flow_id && this.#chosen?.name === slot.name;
    const canShow = Boolean(slot.evidence?.span || slot.evidence?.how);
    const name = canShow
      ? make("button", { type: "button", class: "link mono", "aria-pressed": `${isChosen}`, onclick: () => this.onSlot(isChosen ? null : slot) }, slot.name)
      : make("span", { class: "mono" }, slot.name);
    const shown = showValue(slot.value);
    const value = make("td", { class: shown.length > SHORT ? "value" : "value short" }, shown);
    if (slot.was !== undefined && slot.seq === turn.seq) value.append(make("s", { class: "was" }, showValue(slot.was)));
    const row = make("tr", { class: slot.seq === turn.seq ? "new" : null }, make("td", {}, name), value, make("td", { class: "origin small" }, ...describeOrigin(slot)));
    return row;
  }

  #makeCommands(turn) {
    if (!turn.commands.length) return part("Commands", null, empty(turn.message ? "Nothing was understood." : "The application caused this turn."));
    const failed = new Map((turn.results ?? []).map((result) => [result.command, result]));
    const items = turn.commands.map((made) => {
      const tone = { accepted: "good", rewritten: "warn", rejected: "bad" }[made.decision] ?? "";
      const short = Object.values(made.args ?? {}).filter((value) => ["string", "number"].includes(typeof value) && value !== 1).join(" ");
      const summary = make("summary", {}, make("span", { class: `badge ${tone}` }, made.decision), make("strong", {}, made.command), make("span", { class: "mono small args" }, short));
      const body = [listPairs(made.args)];
      body.unshift(make("p", {}, made.reason ? `Because: ${made.reason}` : "It makes sense now, so it was carried out as it is."));
      if (made.added) body.push(make("p", { class: "muted" }, "Added by the policy; no provider said it."));
      for (const other of made.to ?? []) body.push(make("p", {}, "Became ", make("strong", {}, other.command)), listPairs(other.args));
      const result = failed.get(made.command);
      if (result) {
        summary.append(make("span", { class: `badge ${result.result === "rewritten" ? "warn" : "bad"}` }, result.result));
        body.push(make("p", {}, `Carried out with the result ${result.result}: ${result.reason ?? ""}`));
      }
      return make("details", { class: "item" }, summary, make("div", { class: "more small" }, ...body));
    });
    return part("Commands", turn.commands.length, ...items);
  }

  #makeActions(turn) {
    if (!turn.actions.length) return part("Actions", null, empty("No action ran."));
    const items = turn.actions.map((call) => {
      const [tone, outcome] = call.error ? ["bad", call.error.type] : call.need ? ["warn", `needs ${call.need}`] : ["good", "done"];
      const facts = [call.attempts > 1 ? `${call.attempts} attempts` : null, typeof call.seconds === "number" ? showSeconds(call.seconds) : null];
      const summary = make("summary", {}, make("span", { class: `badge ${tone}` }, outcome), make("strong", {}, call.action), make("span", { class: "small muted args" }, facts.filter(Boolean).join(", ")));
      const body = [make("h4", {}, "Inputs"), listPairs(call.inputs)];
      if (call.error) body.push(make("h4", {}, "Error"), listPairs(call.error));
      else body.push(make("h4", {}, "Outputs"), listPairs(call.outputs));
      if (call.said?.length) body.push(make("h4", {}, "Said"), make("p", {}, call.said.join(" ")));
      if (call.cut?.length) body.push(make("p", { class: "muted" }, `Too long to be recorded: ${call.cut.join(", ")}`));
      body.push(make("h4", {}, "Ledger"), make("p", { class: "mono" }, call.key ?? ""), make("p", { class: "muted" }, call.ledger ? "Its result was known from before: it did not run again." : `Ran ${call.attempts > 1 ? `${call.attempts} times` : "once"} under this key.`));
      return make("details", { class: "item" }, summary, make("div", { class: "more small" }, ...body));
    });
    return part("Actions", turn.actions.length, ...items);
  }

  #makeHappenings(turn) {
    const lines = [];
    for (const write of turn.writes ?? []) if (write.refused) lines.push([`${write.slot} was refused`, write.refused]);
    for (const event of turn.events ?? []) {
      const detail = [event.flow_name, event.reason, event.error, event.answer].filter(Boolean).join(": ");
      lines.push([event.event.replaceAll("_", " "), detail]);
    }
    const steps = turn.steps.map((step) => `${step.flow}.${step.step}${step.skipped ? " (skipped)" : ""} → ${step.to ?? "waits"}${step.edge ? ` [${step.edge}]` : ""}`);
    const content = [];
    if (lines.length) content.push(make("ul", { class: "events small" }, ...lines.map(([what, detail]) => make("li", {}, make("strong", {}, what), detail ? ` ${detail}` : ""))));
    if (steps.length) content.push(make("details", { class: "item" }, make("summary", {}, count(steps.length, "step")), make("ol", { class: "more small mono" }, ...steps.map((step) => make("li", {}, step)))));
    if (turn.transitions?.length) content.push(make("p", { class: "states small muted" }, turn.transitions.join(" → ")));
    return content.length ? part("What happened", null, ...content) : make("span", { hidden: true });
  }
}

function describeOrigin(slot) {
  const found = slot.evidence;
  const when = make("span", { class: "muted when" }, ` turn\u00a0${slot.turn}`);
  if (!found) return ["not recorded", when];
  const by = found.by === "user" && found.how === "button" ? "button"
    : found.by === "user" ? (found.words ? `“${found.words}”` : "the user’s words")
      : found.by === "action" ? `action ${found.action}`
        : found.by === "step" ? `step ${found.step}`
          : found.by === "flow" ? "another flow" : found.by ?? "not recorded";
  return [by, found.through ? make("span", { class: "muted" }, " by another flow,") : null, ...(found.correction ? [" ", make("span", { class: "badge warn" }, "corrected")] : []), when];
}

function makeConfidence(confidence) {
  const bar = make("span", { class: "fill" });
  bar.style.inlineSize = `${confidence * 100}%`;
  return make("div", { class: "confidence small" }, make("span", { class: "muted" }, "confidence"), make("span", { class: "gauge", "aria-hidden": "true" }, bar), confidence.toFixed(2));
}

function makeTimings(turn) {
  const { total, understanding = 0 } = turn.timings ?? {};
  if (!total) return [];
  const actions = turn.actions.reduce((sum, call) => sum + (call.seconds ?? 0), 0);
  const shares = { understanding, actions, rest: Math.max(0, total - understanding - actions) };
  const bar = make("div", { class: "timing", "aria-hidden": "true" });
  for (const [name, seconds] of Object.entries(shares)) {
    const share = make("span", { class: name });
    share.style.flexGrow = `${Math.max(seconds / total, 0.004)}`;
    bar.append(share);
  }
  const words = [`${showSeconds(total)} in all`];
  const used = turn.usage;
  if (used) words.push(`${used.prompt_tokens ?? 0} + ${used.completion_tokens ?? 0} tokens`, used.model, used.cost ? `$${used.cost}` : null);
  const parts = [["understanding", understanding], ["actions", actions], ["rest", shares.rest]].filter(([, seconds]) => seconds > 0);
  const legend = parts.map(([name, seconds]) => make("span", { class: `dot ${name}` }, `${name === "rest" ? "flows" : name} ${showSeconds(seconds)}`));
  return [bar, make("p", { class: "facts small muted" }, ...legend, ...words.filter(Boolean).map((word) => make("span", {}, word)))];
}

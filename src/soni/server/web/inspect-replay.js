// What the flows of today would make of a recorded conversation.

import { count, showValue } from "./inspect-turn.js";
import { make } from "./messages.js";

/** Holds a conversation again with the flows of today, and shows what is different. */
export class ReplayView {
  constructor(element, run, onTurn) {
    this.run = run;
    this.onTurn = onTurn;
    this.anew = make("input", { type: "checkbox", id: "anew" });
    this.button = make("button", { type: "button", class: "primary", onclick: () => this.start() }, "Replay");
    this.state = make("p", { class: "verdict", role: "status" }, "Hold this conversation again with the flows of today. No action runs.");
    this.list = make("ol", { class: "replayed" });
    element.append(
      make("div", { class: "tools" }, this.button, make("label", { class: "check", for: "anew" }, this.anew, "understand the messages anew")),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Replay" }, this.state, this.list),
    );
  }

  async start() {
    this.button.disabled = true;
    this.state.className = "verdict";
    this.state.textContent = "Replaying…";
    try {
      this.#show(await this.run(this.anew.checked));
    } catch (problem) {
      this.state.textContent = `${problem.title}. ${problem.detail} ${problem.remedy}`;
    } finally {
      this.button.disabled = false;
    }
  }

  #show(turns) {
    const held = turns.filter((turn) => turn.outcome === "held" || turn.outcome === "failed");
    const different = held.filter((turn) => !turn.same).length;
    this.state.className = `verdict ${different ? "warn" : "good"}`; // A difference may be what was wanted.
    this.state.textContent = different ? `${different} of ${count(held.length, "turn")} ${different === 1 ? "is" : "are"} different` : `${count(held.length, "turn")}, no differences`;
    this.list.replaceChildren(...turns.map((turn) => this.#makeTurn(turn)));
  }

  #makeTurn(turn) {
    const tone = turn.outcome === "skipped" || turn.outcome === "reset" ? "" : turn.same ? "good" : "warn";
    const verdict = tone === "" ? turn.outcome : turn.same ? "same" : "different";
    const head = make("div", { class: "row" }, make("button", { type: "button", class: "link", onclick: () => this.onTurn(turn.seq) }, `Turn ${turn.turn}`), make("span", { class: `badge ${tone}` }, verdict));
    const lines = turn.differences.map((each) => makeDifference(each));
    if (turn.understood && JSON.stringify(turn.understood.then) !== JSON.stringify(turn.understood.now)) {
      lines.unshift(makeDifference({ what: "understood", then: turn.understood.then, now: turn.understood.now }));
    }
    for (const action of turn.missing) lines.push(make("p", { class: "small bad-text" }, `${action} has no result on record, so it failed.`));
    return make("li", {}, head, ...lines);
  }
}

function makeDifference({ what, then, now }) {
  const list = (value) => (Array.isArray(value) ? value.map(showValue) : [showValue(value)]);
  const [before, after] = [list(then), list(now)];
  const lines = [
    ...before.filter((line) => !after.includes(line)).map((line) => make("del", {}, line || "nothing")),
    ...after.filter((line) => !before.includes(line)).map((line) => make("ins", {}, line || "nothing")),
  ];
  return make("div", { class: "difference small" }, make("strong", {}, what.replaceAll("_", " ")), ...lines);
}

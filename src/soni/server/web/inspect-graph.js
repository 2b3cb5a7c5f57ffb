// A flow as the server laid it out, with where the conversation is and has been.

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 16;
const ROW = 16;

function makeShape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** What a conversation did in a flow up to a turn: steps and ways, and those of the turn itself. */
export function findTrail(turns, index, flow) {
  const trail = { covered: new Set(), taken: new Set(), now: new Set(), current: null };
  turns.slice(0, index + 1).forEach((turn, place) => {
    for (const step of turn.steps ?? []) {
      if (step.flow !== flow) continue;
      if (!step.skipped) trail.covered.add(step.step);
      const way = `${step.step}\n${step.to ?? ""}`;
      trail.taken.add(way);
      if (place === index) trail.now.add(way);
    }
  });
  const here = turns[index]?.stack?.findLast((each) => each.flow === flow);
  if (here) trail.current = here.step;
  return trail;
}

/** Draws flows into a scrolling element. */
export class GraphView {
  #drawings = new Map();
  #scale = null;
  #drawing = null;
  #wanted = null;

  constructor(element, load) {
    this.element = element;
    this.load = load;
  }

  /** Forget the drawings: the flows have changed. */
  forget() {
    this.#drawings.clear();
  }

  /** Draw a flow with a trail; how many of its steps there are. */
  async render(flow, trail) {
    this.#wanted = flow;
    let drawing = this.#drawings.get(flow);
    if (!drawing) {
      try {
        drawing = await this.load(flow);
      } catch (problem) {
        if (this.#wanted === flow) this.#explain(problem);
        return null;
      }
      this.#drawings.set(flow, drawing);
    }
    if (this.#wanted !== flow) return null;
    const isOther = this.#drawing !== drawing;
    this.#drawing = drawing;
    const svg = this.#draw(drawing, trail);
    this.element.replaceChildren(svg);
    if (isOther) this.#scale = null;
    this.#resize(svg);
    this.#showCurrent(svg);
    const steps = new Set(drawing.boxes.filter((box) => isStep(box)).map((box) => box.node));
    return { steps: steps.size, covered: [...steps].filter((step) => trail.covered.has(step)).length };
  }

  zoom(factor) {
    const svg = this.element.querySelector("svg");
    if (!svg) return;
    const now = this.#scale ?? svg.getBoundingClientRect().width / this.#width;
    this.#scale = factor === null ? null : Math.min(2, Math.max(0.25, now * factor));
    this.#resize(svg);
  }

  get #width() {
    return this.#drawing.width + 2 * MARGIN;
  }

  #resize(svg) {
    const room = this.element.clientWidth - 8;
    // Wider flows are scrolled: their text would be too small to read.
    const scale = this.#scale ?? Math.min(1, Math.max(0.8, room / this.#width));
    svg.setAttribute("width", `${this.#width * scale}`);
    svg.setAttribute("height", `${(this.#drawing.height + 2 * MARGIN) * scale}`);
  }

  #showCurrent(svg) {
    const current = svg.querySelector(".current");
    if (!current) {
      this.element.scrollTo({ top: 0, left: Math.max(0, (svg.clientWidth - this.element.clientWidth) / 2) });
      return;
    }
    const box = current.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    this.element.scrollBy({
      top: box.top + box.height / 2 - frame.top - frame.height / 2,
      left: box.left + box.width / 2 - frame.left - frame.width / 2,
    });
  }

  #explain(problem) {
    const text = document.createElement("p");
    text.className = "empty";
    text.textContent = `${problem.detail || problem.title || problem.message} ${problem.remedy ?? ""}`;
    this.element.replaceChildren(text);
  }

  #draw(drawing, trail) {
    const at = trail.current ? `The conversation is at ${trail.current}.` : "The conversation is not in it.";
    const svg = makeShape("svg", {
      class: "graph", role: "img", "aria-label": `Flow ${drawing.name}. ${at}`,
      viewBox: `${-MARGIN} ${-MARGIN} ${drawing.width + 2 * MARGIN} ${drawing.height + 2 * MARGIN}`,
    });
    const reached = new Set();
    const first = drawing.paths.find((path) => path.from.startsWith("flow:"));
    const judge = (path) => {
      if (path === first && trail.covered.has(path.to)) return "taken";
      // A step that calls a flow waits for it: its way is the call.
      const way = `${path.from}\n${path.kind === "call" ? "" : path.to}`;
      return trail.now.has(way) ? "taken now" : trail.taken.has(way) ? "taken" : "";
    };
    // Ways that were taken lie on top of the others.
    const drawn = drawing.paths.map((path) => ({ path, state: judge(path) })).sort((a, b) => a.state.length - b.state.length);
    for (const { path, state } of drawn) {
      const kind = `${path.kind.replaceAll("_", "-")} ${state}`;
      if (state) path.boxes.forEach((box) => reached.add(box));
      svg.append(makeShape("path", { class: `line ${kind}`, d: path.line }));
      if (path.tip) svg.append(makeShape("path", { class: `tip ${kind}`, d: path.tip }));
    }
    drawing.boxes.forEach((box, index) => svg.append(this.#drawBox(box, trail, reached.has(index))));
    return svg;
  }

  #drawBox(box, trail, isReached) {
    const isCurrent = isStep(box) && box.node === trail.current;
    const isCovered = isStep(box) ? trail.covered.has(box.node) : isReached && box.kind !== "label";
    const group = makeShape("g", { class: `box ${box.kind}${isCovered ? " covered" : ""}${isCurrent ? " current" : ""}` });
    if (isStep(box)) group.dataset.step = box.node;
    const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
    if (box.kind === "label") {
      const wide = Math.max(...box.rows.map((row) => row.text.length), 0) * 6.7 + 8;
      group.append(makeShape("rect", { class: "under", x: box.x - wide / 2, y: top, width: wide, height: box.height, rx: 2 }));
    } else if (box.corners) group.append(makeShape("polygon", { class: "shape", points: box.corners }));
    else group.append(makeShape("rect", { class: "shape", x: left, y: top, width: box.width, height: box.height, rx: box.radius }));
    const start = box.y - (box.rows.length * ROW) / 2;
    box.rows.forEach((row, index) => {
      const text = makeShape("text", { class: row.style, x: box.x, y: start + (index + 0.75) * ROW });
      text.textContent = row.text;
      group.append(text);
    });
    return group;
  }
}

function isStep(box) {
  return Boolean(box.node) && !box.node.startsWith("flow:") && !["end", "error", "cancel_flow", "label"].includes(box.kind);
}

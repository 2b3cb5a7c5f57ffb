// The turns of a conversation as a slider, and the way through them.

const PLAY_MS = 900;
const find = (id) => document.getElementById(id);

/** Shows which turn is looked at; `onMove(index)` when another one is wanted. */
export class TimeView {
  #turns = [];
  #index = -1;
  #playing = 0;

  constructor(onMove) {
    this.onMove = onMove;
    const last = () => this.#turns.length - 1;
    const moves = { first: () => 0, back: () => this.#index - 1, next: () => this.#index + 1, last };
    for (const [id, move] of Object.entries(moves)) find(id).addEventListener("click", () => onMove(move()));
    find("slider").addEventListener("input", (event) => onMove(Number(event.target.value)));
    find("play").addEventListener("click", () => this.#play());
    addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const keys = { ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last };
      if (!(event.key in keys)) return;
      event.preventDefault();
      onMove(keys[event.key]());
    });
  }

  render(turns, index) {
    this.#turns = turns;
    this.#index = index;
    const [slider, count, turn] = [find("slider"), turns.length, turns[index]];
    slider.max = `${Math.max(0, count - 1)}`;
    slider.value = `${Math.max(0, index)}`;
    slider.disabled = count < 2;
    const words = turn ? `Turn ${turn.turn} of ${turns.at(-1).turn}` : "No turns yet";
    slider.setAttribute("aria-valuetext", turn?.message ? `${words}: ${turn.message}` : words);
    find("place").textContent = words;
    find("place").classList.toggle("past", index < count - 1);
    for (const id of ["first", "back"]) find(id).disabled = index <= 0;
    for (const id of ["next", "last"]) find(id).disabled = index >= count - 1;
    find("play").disabled = count < 2;
    this.#renderTicks();
  }

  #renderTicks() {
    const ticks = find("ticks");
    if (ticks.children.length !== this.#turns.length) ticks.replaceChildren(...this.#turns.map(() => document.createElement("i")));
    this.#turns.forEach((each, index) => {
      const bad = each.status !== "ok" || each.commands.some((made) => made.decision === "rejected") || each.actions.some((call) => call.error);
      ticks.children[index].className = [index === this.#index ? "here" : index < this.#index ? "done" : "", bad ? "bad" : ""].join(" ");
    });
  }

  #play() {
    const isPlaying = Boolean(this.#playing);
    clearInterval(this.#playing);
    this.#playing = 0;
    const isAtEnd = () => this.#index >= this.#turns.length - 1;
    if (!isPlaying && this.#turns.length) {
      if (isAtEnd()) this.onMove(0);
      this.#playing = setInterval(() => {
        if (isAtEnd()) this.#play();
        else this.onMove(this.#index + 1);
      }, PLAY_MS);
    }
    find("play").setAttribute("aria-pressed", `${Boolean(this.#playing)}`);
  }
}

function isTyping(target) {
  return target.closest?.("input, textarea, select, [role=tablist], dialog, .canvas, .scroll") !== null;
}

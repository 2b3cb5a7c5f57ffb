// The assistant's files in development.

import { make } from "./messages.js";

const CHECK_MS = 400;

/**
 * Edits files. What was changed stays until it is saved or reverted, also while another file is
 * looked at. `onSaved(file)` is called when the assistant has been loaded again.
 */
export class SourceView {
  #file = null;
  #wanted = null;
  #digest = "";
  #saved = "";
  #drafts = new Map();
  #timer = 0;
  #problems = [];

  constructor(element, api, onSaved) {
    this.api = api;
    this.onSaved = onSaved;
    this.files = make("select", { "aria-label": "File", onchange: () => this.#choose(this.files.value) });
    this.save = make("button", { type: "button", class: "primary", disabled: true, onclick: () => this.#save() }, "Save and replay");
    this.revert = make("button", { type: "button", class: "quiet", disabled: true, onclick: () => this.#revert() }, "Revert");
    this.state = make("span", { class: "small muted", role: "status" });
    this.gutter = make("div", { class: "gutter", "aria-hidden": "true" });
    this.marks = make("div", { class: "marks", "aria-hidden": "true" });
    this.text = make("textarea", {
      class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      "aria-label": "Text of the file", oninput: () => this.#changed(), onscroll: () => this.#align(),
    });
    this.list = make("ul", { class: "problems small", "aria-label": "Problems" });
    element.append(
      make("div", { class: "tools" }, this.files, this.state, this.revert, this.save),
      make("div", { class: "editor" }, this.gutter, make("div", { class: "sheet" }, this.marks, this.text)),
      this.list,
    );
  }

  /** The names of the files, and the first of them. */
  async start() {
    const names = await this.api.get("api/sources");
    this.files.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    if (names.length && !this.#file) await this.open(names[0]);
  }

  async open(name) {
    this.#wanted = name;
    const read = this.#drafts.get(name) ?? (await this.#read(name));
    if (this.#wanted !== name) return; // Another one was asked for meanwhile.
    this.#file = this.files.value = name;
    this.#digest = read.digest;
    this.#saved = read.saved ?? read.text;
    this.text.value = read.text;
    this.text.setAttribute("aria-label", `Text of ${name}`);
    this.#show([]);
    this.state.textContent = "";
    await this.#check();
  }

  #read(name) {
    return this.api.get(`api/sources/file?file=${encodeURIComponent(name)}`);
  }

  #choose(name) {
    this.open(name).catch((problem) => {
      this.files.value = this.#file;
      this.state.textContent = problem.detail || problem.title;
    });
  }

  #revert() {
    this.#keep(this.#file, null);
    this.#choose(this.#file);
  }

  /** Remember what a file is to become; null: what it is. */
  #keep(name, draft) {
    if (draft) this.#drafts.set(name, draft);
    else this.#drafts.delete(name);
    for (const option of this.files.options) {
      option.textContent = this.#drafts.has(option.value) ? `${option.value} (changed)` : option.value;
    }
  }

  /** The file that defines a flow, at its line. */
  async showFlow(flow) {
    const pattern = new RegExp(`^ {1,8}${flow.replace(/[^\w-]/g, "\\$&")}:`, "m");
    const names = [...this.files.options].map((option) => option.value);
    names.sort((a, b) => (b === this.#file) - (a === this.#file));
    for (const name of names) {
      const text = name === this.#file ? this.text.value : (this.#drafts.get(name) ?? (await this.#read(name))).text;
      const flows = text.search(/^flows:/m);
      const found = flows < 0 ? -1 : text.slice(flows).search(pattern);
      if (found < 0) continue;
      if (name !== this.#file) await this.open(name);
      this.#reveal(1 + text.slice(0, flows + found).split("\n").length - 1);
      return;
    }
  }

  #changed() {
    const text = this.text.value;
    const isChanged = text !== this.#saved;
    this.#keep(this.#file, isChanged ? { text, saved: this.#saved, digest: this.#digest } : null);
    this.revert.disabled = !isChanged;
    this.save.disabled = true;
    this.#number();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), CHECK_MS);
  }

  async #check() {
    const draft = { file: this.#file, text: this.text.value };
    let found;
    try {
      found = await this.api.post("api/sources/check", draft);
    } catch (problem) {
      this.state.textContent = problem.detail || problem.title;
      return;
    }
    if (draft.text !== this.text.value || draft.file !== this.#file) return; // It is older than what is there.
    this.#show(found.problems);
    const isChanged = this.text.value !== this.#saved;
    this.save.disabled = !isChanged || !found.ok;
    this.revert.disabled = !isChanged;
    const errors = found.problems.filter((each) => each.severity === "error").length;
    this.state.textContent = errors ? `${errors} ${errors === 1 ? "problem" : "problems"}` : isChanged ? "Changed, no problems" : "No problems";
  }

  async #save() {
    this.save.disabled = true;
    const change = { file: this.#file, text: this.text.value, digest: this.#digest };
    try {
      const saved = await this.api.post("api/sources/file", change);
      const draft = this.#drafts.get(change.file);
      const isNewer = draft && draft.text !== change.text; // Somebody has typed on meanwhile.
      this.#keep(change.file, isNewer ? { ...draft, saved: change.text, digest: saved.digest } : null);
      if (this.#file === change.file) {
        this.#digest = saved.digest;
        this.#saved = change.text;
        this.revert.disabled = !isNewer;
        this.state.textContent = "Saved and loaded";
      }
    } catch (problem) {
      this.state.textContent = `${problem.title}. ${problem.remedy}`;
      this.save.disabled = false;
      return;
    }
    this.onSaved(change.file);
  }

  #show(problems) {
    this.#problems = problems;
    this.#number();
    this.list.replaceChildren(...problems.map((problem) => {
      const isHere = problem.file === this.#file && problem.line;
      const where = problem.line ? `${problem.file}:${problem.line}` : problem.file ?? "";
      const go = () => (isHere ? this.#reveal(problem.line) : problem.file && this.open(problem.file).then(() => this.#reveal(problem.line ?? 1)));
      const tone = problem.severity === "warning" ? "warn" : "bad";
      const known = problem.available.length ? ` Available: ${problem.available.slice(0, 12).join(", ")}.` : "";
      return make("li", {}, make("button", { type: "button", class: "link mono", onclick: go }, where), make("span", { class: `badge ${tone}` }, problem.code), `${problem.message}. `, make("span", { class: "muted" }, `${problem.remedy ?? ""}${known}`));
    }));
  }

  /** Line numbers, and marks behind the lines with problems. */
  #number() {
    const here = this.#problems.filter((each) => each.file === this.#file && each.line);
    const tones = new Map(here.map((each) => [each.line, each.severity === "warning" ? "warn" : "bad"]));
    const count = this.text.value.split("\n").length;
    this.gutter.replaceChildren(...Array.from({ length: count }, (_, index) => make("span", { class: tones.get(index + 1) ?? null }, `${index + 1}`)));
    this.marks.replaceChildren(...Array.from({ length: count }, (_, index) => make("span", { class: tones.get(index + 1) ?? null })));
    this.#align();
  }

  #align() {
    this.gutter.scrollTop = this.text.scrollTop;
    this.marks.scrollTop = this.text.scrollTop;
  }

  #reveal(line) {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    const height = this.text.scrollHeight / lines.length;
    this.text.scrollTop = Math.max(0, (line - 4) * height);
  }
}

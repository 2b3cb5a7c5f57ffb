// A conversation as a conversation test: to read, to download, to save.

import { make } from "./messages.js";

const find = (id) => document.getElementById(id);

/** Shows the test of a conversation; `pathOf()` is the conversation's address. */
export class TestDialog {
  constructor(api, pathOf) {
    this.api = api;
    this.pathOf = pathOf;
    find("test-save").addEventListener("click", () => void this.#save());
    find("test-close").addEventListener("click", () => find("test").close());
  }

  async show() {
    const test = await this.api.get(`${this.pathOf()}/test`);
    find("test-text").textContent = test.text;
    find("test-verdict").textContent = test.passed ? "passes" : "does not pass as it stands";
    find("test-verdict").className = `badge ${test.passed ? "good" : "bad"}`;
    find("test-notes").replaceChildren(...[...test.notes, ...test.failures].map((note) => make("li", {}, note)));
    find("test-place").textContent = "";
    find("test-save").disabled = false;
    find("test-name").value = "";
    find("test-name-label").hidden = find("test-save").hidden;
    URL.revokeObjectURL(find("test-download").href);
    find("test-download").href = URL.createObjectURL(new Blob([test.text], { type: "application/yaml" }));
    find("test").showModal();
  }

  async #save() {
    find("test-save").disabled = true;
    try {
      const saved = await this.api.post(`${this.pathOf()}/test`, { name: find("test-name").value.trim() || null });
      find("test-text").textContent = saved.text;
      find("test-place").textContent = `Saved as ${saved.file}`;
    } catch (problem) {
      find("test-place").textContent = problem.detail;
      find("test-save").disabled = false; // Another name may do.
    }
  }
}

// What a page keeps in its browser.

import { ROOT } from "./api.js";

/** Small things by name. Where nothing may be stored they last for the visit. */
export class Drawer {
  #prefix;
  #kept = new Map();

  constructor(name) {
    this.#prefix = `soni:${ROOT.pathname}:${name}:`;
  }

  /** What a thing is called in the browser's storage. */
  nameOf(key) {
    return this.#prefix + key;
  }

  get(key) {
    for (const storage of findStorages()) {
      try {
        const text = storage.getItem(this.nameOf(key));
        if (text !== null) return JSON.parse(text);
      } catch { /* it is not ours */ }
    }
    return this.#kept.get(key) ?? null;
  }

  /** `isBrief`: for this tab alone, and until it is closed. */
  set(key, value, { isBrief = false } = {}) {
    this.#kept.set(key, value);
    for (const storage of findStorages()) {
      try {
        if ((storage === window.sessionStorage) === isBrief) storage.setItem(this.nameOf(key), JSON.stringify(value));
        else storage.removeItem(this.nameOf(key));
      } catch { /* there is no room: it is kept for the visit alone */ }
    }
  }

  remove(key) {
    this.#kept.delete(key);
    for (const storage of findStorages()) storage.removeItem(this.nameOf(key));
  }

  keys() {
    const found = new Set(this.#kept.keys());
    for (const name of findStorages().flatMap((storage) => Object.keys(storage))) {
      if (name.startsWith(this.#prefix)) found.add(name.slice(this.#prefix.length));
    }
    return [...found];
  }

  /** Do something that no other tab of this browser does at the same time, where there are locks. */
  async hold(key, work) {
    if (!navigator.locks) return work();
    try {
      return await navigator.locks.request(this.nameOf(key), work);
    } catch (error) {
      if (error instanceof DOMException && error.name === "SecurityError") return work();
      throw error;
    }
  }
}

/** The tab's own storage, then that of the browser: those that may be used. */
function findStorages() {
  return ["sessionStorage", "localStorage"].flatMap((name) => {
    try {
      return [window[name]];
    } catch {
      return []; // Asking for it is refused already.
    }
  });
}

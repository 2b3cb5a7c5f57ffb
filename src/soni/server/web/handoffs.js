// Conversations with the desk: who waits, who has them, and how they are called.

/** What the desk knows, and for whom: `me` is the person who is signed in. */
export class Handoffs {
  me = null;
  #bodies = new Map();

  get(id) {
    return this.#bodies.get(id);
  }

  has(id) {
    return this.#bodies.has(id);
  }

  /** All of them, the longest waiting first. */
  list() {
    return [...this.#bodies.values()].sort((a, b) => a.at - b.at);
  }

  /** Take over an event: `list` has all of them, `change` what is different. */
  apply(event, { changed, gone }) {
    if (event === "list") this.#bodies.clear();
    changed.forEach((body) => this.#bodies.set(body.conversation_id, body));
    gone.forEach((id) => this.#bodies.delete(id));
  }

  /** It is mine: the event comes a moment later, and what is known already is shown at once. */
  noteClaim(id) {
    const body = this.get(id);
    if (body) this.#bodies.set(id, { ...body, claimed_by: this.me.id, claimed_name: this.me.name });
  }

  delete(id) {
    this.#bodies.delete(id);
  }

  /** Forget everything: somebody else may sign in next. */
  clear() {
    this.#bodies.clear();
    this.me = null;
  }

  /** `waiting`, `mine` or `others`. */
  placeOf(body) {
    if (body.claimed_by === null) return "waiting";
    return body.claimed_by === this.me.id ? "mine" : "others";
  }

  nameHolder(body) {
    return this.nameOf(body.claimed_name ?? body.claimed_by);
  }

  nameOf(by) {
    if (!by) return "Somebody";
    if (by === this.me?.name || by === this.me?.id) return "You";
    return /^(key|anon|user):/.test(by) ? shortenId(by) : by;
  }
}

/** What tells one customer from the next: nobody knows their names. */
export function titleOf(body) {
  return `Visitor ${markOf(body)}`;
}

/** The end of a conversation's id: what is different in each. */
export function markOf(body) {
  return body.conversation_id.replace(/[^a-z0-9]/gi, "").slice(-4).toLowerCase();
}

/** A name of the assistant's files as people read it: `customer_service` is "Customer service". */
export function spell(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What somebody without a name is called. */
export function shortenId(id) {
  return `agent ${id.slice(-4)}`;
}

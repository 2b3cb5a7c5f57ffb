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

/** What tells one conversation from the next: the first thing that the customer has said of it. */
export function titleOf(body) {
  const said = Object.values(body.slots).find((value) => typeof value === "string" && value && !value.includes("•"));
  return said ?? body.queue ?? "Conversation";
}

/** What somebody without a name is called. */
export function shortenId(id) {
  return `agent ${id.slice(-4)}`;
}

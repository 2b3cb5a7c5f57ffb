// What was written and is not known to be answered. It is kept until then, so that it is sent again
// with its id after whatever happened in between. Ids hold within one conversation: nothing is sent
// to two.

const PREFIX = "unsent:";

/** Unsent messages of this browser: `{message_id, at, conversation, text | press, turn?}`. */
export class Outbox {
  #drawer;
  #own = new Set();

  constructor(drawer) {
    this.#drawer = drawer;
  }

  /** `conversation` is null where the one it belongs to is not known yet. */
  add(item) {
    this.#own.add(item.message_id);
    this.#drawer.set(PREFIX + item.message_id, item);
  }

  has(item) {
    return this.#drawer.get(PREFIX + item.message_id) !== null;
  }

  remove(messageId) {
    this.#drawer.remove(PREFIX + messageId);
  }

  /** Take over what an earlier visit has left without a conversation. */
  claim() {
    for (const item of this.#read()) this.#own.add(item.message_id);
  }

  /** What goes to a conversation, in order; of what has none yet, this tab's. */
  list(conversation) {
    return this.#read().filter((item) =>
      item.conversation === null ? this.#own.has(item.message_id) : item.conversation === conversation,
    );
  }

  /** Say where a message goes. From now on it goes nowhere else. */
  assign(item, conversation) {
    item.conversation = conversation;
    this.#drawer.set(PREFIX + item.message_id, item);
  }

  /** Forget what goes to a conversation, and, if told so, what has none yet. */
  drop(conversation, { unassigned = false } = {}) {
    for (const item of this.list(conversation)) {
      if (unassigned || item.conversation !== null) this.remove(item.message_id);
    }
  }

  #read() {
    return this.#drawer
      .keys()
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => this.#drawer.get(key))
      .filter(Boolean)
      .map((item) => ({ ...item, conversation: item.conversation ?? null }))
      .sort((a, b) => a.at - b.at);
  }
}

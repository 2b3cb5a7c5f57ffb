// What was said in a conversation, as a page shows it.

/** The order of two ids of messages. */
export function compareIds(a, b) {
  const [x, y] = [a, b].map((id) => id.split(":").map(Number));
  return x[0] - y[0] || x[1] - y[1];
}

/**
 * Messages in their order: `{key, id?, turn?, author, text, ui?, by?, at, state}`; `state` is
 * `sending`, `waiting` (for the network), `failed`, `draft` (being written) or `said`.
 *
 * The same message comes by two ways, the answer to a request and the stream of events; its key
 * tells that it is one.
 */
export class Transcript {
  messages = [];
  lastId = "0:0";
  #byKey = new Map();
  #order = 0;

  clear() {
    this.messages = [];
    this.lastId = "0:0";
    this.#byKey.clear();
  }

  find(messageId, place = 0) {
    return this.#byKey.get(`${messageId}/${place}`);
  }

  /** What somebody has written here. */
  showUnsent(item, state) {
    this.#show({
      key: `${item.message_id}/0`, author: "user", text: item.text ?? item.press, at: item.at,
      state, item,
    });
  }

  /** An answer as a request got it. The stream of events may have been quicker, and knows more. */
  showReply(messageId, place, reply, state) {
    if (this.find(messageId, place + 1)?.state === "said") return;
    this.#show({
      key: `${messageId}/${place + 1}`, author: reply.by ? "agent" : "bot", at: Date.now() / 1000,
      ...reply, state,
    });
  }

  /** A function for the events of an answer that is being made: pieces of a text, and whole ones. */
  beginAnswer(messageId) {
    let [place, written] = [0, ""];
    return (event, text) => {
      written = event === "piece" ? written + text : text;
      this.showReply(messageId, place, { text: written }, "draft");
      if (event !== "message") return;
      [place, written] = [place + 1, ""];
    };
  }

  /** What the server has on record. */
  take(said) {
    const key = said.message_id ? `${said.message_id}/${said.id.split(":")[1]}` : said.id;
    this.#show({ ...said, key, state: "said", item: null });
    if (compareIds(said.id, this.lastId) > 0) this.lastId = said.id;
  }

  dropDrafts(messageId) {
    this.#drop((message) => message.state === "draft" && message.key.startsWith(`${messageId}/`));
  }

  /** What was written here and is shown elsewhere, or came to nothing. */
  dropUnsent(messageId) {
    this.#drop((message) => message.key === `${messageId}/0` && !message.id);
  }

  #drop(isDropped) {
    for (const message of this.messages.filter(isDropped)) this.#byKey.delete(message.key);
    this.messages = this.messages.filter((message) => !isDropped(message));
  }

  #show(message) {
    const known = this.#byKey.get(message.key);
    if (known) Object.assign(known, message);
    else {
      const shown = { ...message, order: this.#order++ };
      this.#byKey.set(message.key, shown);
      this.messages.push(shown);
    }
    this.messages.sort((a, b) =>
      a.id && b.id ? compareIds(a.id, b.id) : a.id ? -1 : b.id ? 1 : a.order - b.order,
    );
  }
}

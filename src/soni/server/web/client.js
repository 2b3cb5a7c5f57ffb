// The server's API for pages: problems as errors, streams of events, and a conversation that
// survives a reload, a dropped line and a second device.

/** Where the server is, also when it is mounted below another address. */
export const ROOT = new URL("..", import.meta.url);

const SILENCE_MS = 40_000; // The server gives a sign of life every 15 seconds.
const MAX_WAIT_MS = 30_000;
const MAX_ATTEMPTS = 3;
const PAGE = 200;
const REFRESH_MS = 80; // Several messages of one turn come at once.

/** What the server, or the network, did not do. `status` is 0 if no answer came at all. */
export class Problem extends Error {
  constructor({ status = 0, code = "offline", title = "", detail = "", remedy = "" } = {}, wait = 0) {
    super(title || code);
    Object.assign(this, { status, code, title, detail, remedy, retryAfter: wait });
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500 ||
      this.code === "conversation_busy" || this.status === 408;
  }
}

/** Requests with a credential. Paths are below `ROOT`: `api/flows`. */
export class Api {
  constructor(token = null, root = ROOT) {
    this.token = token;
    this.root = root;
  }

  get(path, options) {
    return this.#json(path, options);
  }

  post(path, body, options) {
    return this.#json(path, { method: "POST", body, ...options });
  }

  delete(path) {
    return this.#json(path, { method: "DELETE" });
  }

  /** The events of a stream: `{event, id, data}`. Without `body` it is a GET. */
  async *stream(path, { body, lastEventId, signal, onOpen } = {}) {
    const headers = { accept: "text/event-stream" };
    if (lastEventId) headers["last-event-id"] = lastEventId;
    const method = body === undefined ? "GET" : "POST";
    const stop = new AbortController();
    const end = () => stop.abort();
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    let timer;
    try {
      const response = await this.request(path, { method, body, headers, signal: stop.signal });
      onOpen?.();
      const beat = () => {
        clearTimeout(timer);
        // A turn may think for long; only an endless stream has signs of life.
        if (body === undefined) timer = setTimeout(end, SILENCE_MS);
      };
      beat();
      yield* readEvents(response.body, beat);
    } catch (error) {
      throw error instanceof Problem ? error : new Problem();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      end();
    }
  }

  /** A response that is no problem; else its problem is thrown. */
  async request(path, { method = "GET", body, headers = {}, signal } = {}) {
    const sent = { ...headers };
    if (this.token) sent.authorization = `Bearer ${this.token}`;
    if (body !== undefined) sent["content-type"] = "application/json";
    let response;
    try {
      response = await fetch(new URL(path, this.root), {
        method, headers: sent, signal, cache: "no-store", credentials: "omit",
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      throw new Problem();
    }
    if (response.ok) return response;
    const wait = Number(response.headers.get("retry-after")) || 0;
    const told = await response.json().catch(() => ({}));
    throw new Problem({ code: "unknown", ...told, status: response.status }, wait);
  }

  async #json(path, options) {
    const response = await this.request(path, options);
    try {
      return response.status === 204 ? null : await response.json();
    } catch {
      throw new Problem();
    }
  }
}

async function* readEvents(body, beat) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    beat();
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = {};
      for (const line of block.split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
      }
      if (event.data !== undefined) yield { ...event, data: JSON.parse(event.data) };
    }
  }
}

/** Small things that stay in this browser. Where nothing may be stored they last for the visit. */
export class Drawer {
  #prefix;
  #kept = new Map();

  constructor(name) {
    this.#prefix = `soni:${ROOT.pathname}:${name}:`;
  }

  get(key) {
    try {
      const text = localStorage.getItem(this.#prefix + key);
      if (text !== null) return JSON.parse(text);
    } catch { /* nothing may be stored here, or it is not ours */ }
    return this.#kept.get(key) ?? null;
  }

  set(key, value) {
    this.#kept.set(key, value);
    try {
      localStorage.setItem(this.#prefix + key, JSON.stringify(value));
    } catch { /* kept for the visit alone */ }
  }

  remove(key) {
    this.#kept.delete(key);
    try {
      localStorage.removeItem(this.#prefix + key);
    } catch { /* was not stored */ }
  }

  keys() {
    const found = new Set(this.#kept.keys());
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(this.#prefix)) found.add(name.slice(this.#prefix.length));
      }
    } catch { /* nothing is stored */ }
    return [...found];
  }
}

/** A random id for a message. */
export function makeId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `m-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function compareIds(a, b) {
  const [x, y] = [a, b].map((id) => id.split(":").map(Number));
  return x[0] - y[0] || x[1] - y[1];
}

/**
 * One conversation as a page shows it. Events: `change` (something in `messages`, `isTyping` or
 * `waiting`), `status` (`isOnline`), `problem` (detail: a Problem), `gone` (it is not ours any more).
 *
 * A message is `{key, id?, author, text, ui?, by?, at, state}`; `state` is `sending`, `waiting` (for
 * the network), `failed`, `draft` (being written) or `said`.
 */
export class Conversation extends EventTarget {
  messages = [];
  isTyping = false;
  isOnline = true;
  isLoaded = false;
  isHandedOff = false;
  waiting = null;
  language = null;
  #drawer;
  #byKey = new Map();
  #lastId = "0:0";
  #following = null;
  #flushing = false;
  #attempts = 0;
  #wake = null;

  /** `drawer` keeps id, token and what was not sent; `id` follows one that somebody else holds. */
  constructor(api, { drawer = new Drawer("chat"), id = null } = {}) {
    super();
    this.api = api;
    this.#drawer = drawer;
    this.id = id;
    addEventListener("online", () => this.#wake?.());
  }

  /** Go on with what this browser keeps. Nothing is opened before something is said. */
  async resume() {
    this.id ??= this.#drawer.get("id");
    this.api.token ??= this.#drawer.get("token");
    if (this.id) await this.#load();
    for (const item of this.#unsent()) this.#show(this.#describeUnsent(item));
    this.isLoaded = true;
    this.#tell("change");
    if (this.id) this.#follow();
    void this.#flush();
  }

  /** Say something, or press what was offered: `{text}` or `{press}`. */
  send(said) {
    const item = { ...said, message_id: makeId(), at: Date.now() / 1000 };
    if (this.language) item.language = this.language;
    this.#drawer.set(`unsent:${item.message_id}`, item);
    this.#show(this.#describeUnsent(item));
    this.waiting = null;
    this.#tell("change");
    void this.#flush();
    return item.message_id;
  }

  /** Send what has failed again, with its id. */
  retry(key) {
    const message = this.#byKey.get(key);
    if (!message?.item) return;
    this.#drawer.set(`unsent:${message.item.message_id}`, message.item);
    message.state = "sending";
    this.#attempts = 0;
    this.#tell("change");
    void this.#flush();
  }

  /** Leave this conversation; the next message opens another one. */
  leave() {
    this.close();
    for (const key of this.#drawer.keys()) if (key !== "token") this.#drawer.remove(key);
    this.id = null;
    this.messages = [];
    this.#byKey.clear();
    this.#lastId = "0:0";
    this.waiting = null;
    this.isTyping = false;
    this.#tell("change");
  }

  /** Take a conversation over from another device. */
  adopt(id, token) {
    this.leave();
    if (token) this.keepToken(token);
    this.#drawer.set("id", id);
  }

  /** Use a credential from now on: a key, or a token that an application signed. */
  keepToken(token) {
    this.api.token = token;
    this.#drawer.set("token", token);
  }

  /** End the stream of events. */
  close() {
    this.#following?.abort();
    this.#following = null;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #setOnline(isOnline) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.#tell("status");
  }

  // What is shown. The same message comes by two ways, the answer to a request and the stream of
  // events; its key tells that it is one.

  #show(message) {
    const known = this.#byKey.get(message.key);
    if (known) Object.assign(known, message);
    else {
      this.#byKey.set(message.key, message);
      this.messages.push(message);
    }
    this.messages.sort((a, b) =>
      a.id && b.id ? compareIds(a.id, b.id) : a.id ? -1 : b.id ? 1 : a.order - b.order,
    );
  }

  #order = 0;

  #describeUnsent(item) {
    return {
      key: `${item.message_id}/0`, author: "user", text: item.text ?? item.press, at: item.at,
      state: "sending", item, order: this.#order++,
    };
  }

  #describeReply(messageId, place, reply, state = "said") {
    return {
      key: `${messageId}/${place + 1}`, author: reply.by ? "agent" : "bot", at: Date.now() / 1000,
      ...reply, state, order: this.#order++,
    };
  }

  #take(said) {
    const place = said.id.split(":")[1];
    const key = said.message_id ? `${said.message_id}/${place}` : said.id;
    this.#show({ ...said, key, state: "said", item: null, order: this.#order++ });
    if (said.author === "user") this.#drawer.remove(`unsent:${said.message_id}`);
    if (compareIds(said.id, this.#lastId) > 0) this.#lastId = said.id;
  }

  async #load() {
    for (let after = 0; ;) {
      let page;
      try {
        page = await this.api.get(`${this.#path}/messages?after=${after}&limit=${PAGE}`);
      } catch (problem) {
        if (await this.#isGone(problem)) return;
        this.#setOnline(false);
        await this.#pause(problem);
        continue;
      }
      this.#setOnline(true);
      page.messages.forEach((said) => this.#take(said));
      if (page.next === null) break;
      after = page.next;
    }
    await this.#refresh();
  }

  /** What the assistant waits for. */
  async #refresh() {
    try {
      const state = await this.api.get(this.#path);
      this.waiting = state.waiting;
      this.isHandedOff = state.handed_off;
    } catch { /* it is told again with the next turn */ }
  }

  #refreshSoon() {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(async () => {
      await this.#refresh();
      this.#tell("change");
    }, REFRESH_MS);
  }

  #refreshing = 0;

  async #isGone(problem) {
    if (problem.status !== 404 && problem.status !== 401) return false;
    this.leave();
    if (problem.status === 401) {
      this.#drawer.remove("token");
      this.api.token = null;
    }
    this.#tell("gone", problem);
    return true;
  }

  get #path() {
    return `api/conversations/${encodeURIComponent(this.id)}`;
  }

  async #follow() {
    const following = (this.#following = new AbortController());
    for (let failures = 0; !following.signal.aborted;) {
      try {
        const options = { lastEventId: this.#lastId, signal: following.signal };
        options.onOpen = () => {
          failures = 0;
          this.#setOnline(true);
          this.#wake?.();
        };
        for await (const { data } of this.api.stream(`${this.#path}/events`, options)) {
          if (following.signal.aborted) return;
          const isOwn = this.#byKey.get(`${data.message_id}/0`)?.item !== undefined;
          this.#take(data);
          this.#tell("change");
          // What another device or the desk did changes what is waited for.
          if (!isOwn) this.#refreshSoon();
        }
      } catch (problem) {
        if (following.signal.aborted) return;
        if (await this.#isGone(problem)) return;
        this.#setOnline(false);
        await this.#pause(problem, failures++);
      }
    }
  }

  #pause(problem, failures = 0) {
    const wait = problem.retryAfter * 1000 || Math.min(500 * 2 ** failures, MAX_WAIT_MS);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      const before = this.#wake;
      this.#wake = () => {
        clearTimeout(timer);
        before?.();
        resolve();
      };
    });
  }

  // What was not sent yet. It is kept until its turn is known to be done, so that it is sent again
  // with its id after whatever happened in between.

  #unsent() {
    return this.#drawer
      .keys()
      .filter((key) => key.startsWith("unsent:"))
      .map((key) => this.#drawer.get(key))
      .filter(Boolean)
      .sort((a, b) => a.at - b.at);
  }

  async #flush() {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      for (let item; (item = this.#unsent()[0]);) {
        try {
          await this.#deliver(item);
          this.#attempts = 0;
          this.#setOnline(true);
        } catch (error) {
          const problem = error instanceof Problem ? error : new Problem({ status: 500, code: "page" });
          if (!(await this.#failed(item, problem))) return;
        }
        this.isTyping = false;
        this.#tell("change");
      }
    } finally {
      this.#flushing = false;
      this.isTyping = false;
      this.#tell("change");
    }
  }

  /** After a failure: true to go on with what is unsent, false to stop. */
  async #failed(item, problem) {
    this.#dropDrafts(item.message_id);
    this.isTyping = false;
    const message = this.#byKey.get(`${item.message_id}/0`);
    if (problem.status === 401 || problem.status === 404) {
      if (await this.#isGone(problem)) return false;
    }
    const isLasting = problem.status >= 500 && problem.code !== "busy";
    if (problem.isPassing && !(isLasting && ++this.#attempts >= MAX_ATTEMPTS)) {
      if (message) message.state = "waiting";
      if (problem.status === 0) this.#setOnline(false);
      this.#tell("change");
      await this.#pause(problem, this.#attempts);
      return true;
    }
    this.#drawer.remove(`unsent:${item.message_id}`);
    if (message) message.state = "failed";
    this.#attempts = 0;
    this.#tell("problem", problem);
    await this.#refresh();
    return true;
  }

  async #open() {
    let opened;
    try {
      opened = await this.api.post("api/conversations", {});
    } catch (problem) {
      if (problem.status !== 401 || !this.api.token?.startsWith("anon_")) throw problem;
      this.api.token = null; // It has expired: somebody unknown gets another one.
      opened = await this.api.post("api/conversations", {});
    }
    this.id = opened.id;
    this.#drawer.set("id", this.id);
    if (opened.token) {
      this.api.token = opened.token;
      this.#drawer.set("token", opened.token);
    }
    void this.#follow();
  }

  async #deliver(item) {
    if (!this.id) await this.#open();
    const message = this.#byKey.get(`${item.message_id}/0`);
    if (message) message.state = "sending";
    this.isTyping = true;
    this.#tell("change");
    const { at, ...body } = item;
    let place = 0;
    let written = "";
    for await (const { event, data } of this.api.stream(`${this.#path}/messages`, { body })) {
      if (event === "error") throw new Problem(data);
      if (event === "piece") {
        written += data.text;
        this.#show(this.#describeReply(item.message_id, place, { text: written }, "draft"));
      } else if (event === "message") {
        written = "";
        const known = this.#byKey.get(`${item.message_id}/${place + 1}`);
        // The stream of events may have been quicker, and knows more.
        if (known?.state !== "said") {
          this.#show(this.#describeReply(item.message_id, place, { text: data.text }, "draft"));
        }
        place += 1;
      } else if (event === "turn") {
        this.#finish(item, data);
        return;
      }
      this.#tell("change");
    }
    throw new Problem(); // The line broke before the turn came.
  }

  #finish(item, turn) {
    const message = this.#byKey.get(`${item.message_id}/0`);
    if (message) Object.assign(message, { state: "said", item: null });
    this.#dropDrafts(item.message_id);
    turn.replies.forEach((reply, place) => {
      const known = this.#byKey.get(`${item.message_id}/${place + 1}`);
      if (!known?.id) this.#show(this.#describeReply(item.message_id, place, reply));
    });
    this.waiting = turn.waiting;
    this.#drawer.remove(`unsent:${item.message_id}`);
  }

  #dropDrafts(messageId) {
    this.messages = this.messages.filter((message) => {
      const drops = message.state === "draft" && message.key.startsWith(`${messageId}/`);
      if (drops) this.#byKey.delete(message.key);
      return !drops;
    });
  }
}

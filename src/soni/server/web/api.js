// The server's API for pages: problems as errors, and streams of events.

/** Where the server is, also when it is mounted below another address. */
export const ROOT = new URL("..", import.meta.url);

const SILENCE_MS = 40_000; // The server gives a sign of life every 15 seconds.

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

  /** A new conversation: `{id, token}`. */
  async open(options) {
    try {
      return await this.post("api/conversations", {}, options);
    } catch (problem) {
      if (problem.status !== 401 || !isAnonymous(this.token)) throw problem;
      this.token = null; // It is another server's, or an old one: somebody unknown gets another.
      return this.post("api/conversations", {}, options);
    }
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

/** A random id for a message. */
export function makeId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `m-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Whether a token is one that the server made for somebody unknown. A page has one for each conversation. */
export function isAnonymous(token) {
  return Boolean(token?.startsWith("anon_"));
}

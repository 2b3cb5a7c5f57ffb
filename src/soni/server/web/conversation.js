// A conversation that survives a reload, a dropped line, a second tab and a second device.

import { Problem, isAnonymous, makeId } from "./api.js";
import { Drawer } from "./drawer.js";
import { Outbox } from "./outbox.js";
import { Patience } from "./patience.js";
import { Transcript } from "./transcript.js";

const MAX_ATTEMPTS = 3;
const PAGE = 200;
const REFRESH_MS = 80; // Several messages of one turn come at once.

/**
 * One conversation as a page shows it. Events: `change` (something in `messages`, `isTyping` or
 * `waiting`), `status` (`isOnline`, `desk`), `problem` (detail: a Problem), `gone` (it is not ours any
 * more), `unauthenticated` (nobody is known by our credential: nothing is lost, and `resume` goes on
 * once there is another one).
 */
export class Conversation extends EventTarget {
  isTyping = false;
  isOnline = true;
  isLoaded = false;
  desk = null; // Who answers: null (the assistant), `waiting` (for a person), `answering`, `back`
  agent = null; // the name of that person
  isRefused = false;
  waiting = null; // with the turn that asks
  language = null;
  #drawer;
  #outbox;
  #said = new Transcript();
  #patience = new Patience();
  #stay = new AbortController();
  #flushing = null;
  #refreshing = 0;
  #news = 0;

  /** `drawer` keeps id, token and what was not sent; `id` follows one that somebody else holds. */
  constructor(api, { drawer = new Drawer("chat"), id = null } = {}) {
    super();
    this.api = api;
    this.#drawer = drawer;
    this.#outbox = new Outbox(drawer);
    this.id = id;
    addEventListener("storage", (event) => this.#meetOther(event));
  }

  get messages() {
    return this.#said.messages;
  }

  /** The conversation that this browser keeps, whether or not it is shown yet. */
  get keptId() { return this.#drawer.get("id"); }

  /** Whether this browser has something that another conversation would take the place of. */
  get isKept() { return Boolean(this.keptId || this.#drawer.get("token")); }

  /** Go on with what this browser keeps. Nothing is opened before something is said. */
  async resume() {
    const signal = this.#enter();
    this.id ??= this.keptId;
    this.api.token ??= this.#drawer.get("token");
    this.isRefused = false;
    this.isLoaded = !this.id;
    this.#outbox.claim();
    try {
      if (this.id) await this.#load(signal);
    } catch (problem) {
      if (signal.aborted) return;
      this.#end(problem);
    }
    this.isLoaded = true;
    this.#showUnsent();
    if (this.id && !this.isRefused) void this.#follow(signal);
    void this.#flush();
  }

  /** Say something, or press what was offered: `{text}`, or `{press, turn}`. */
  send(said) {
    // What is said before it is known whether the conversation is still there may go to another.
    const conversation = this.isLoaded ? this.id : null;
    const item = { ...said, message_id: makeId(), at: Date.now() / 1000, conversation };
    if (this.language) item.language = this.language;
    this.#outbox.add(item);
    this.#setWaiting(null);
    if (this.desk === "back") this.desk = null;
    this.#showUnsent();
    this.#patience.wake();
    if (this.isRefused) this.#tell("unauthenticated", new Problem({ status: 401 }));
    void this.#flush();
    return item.message_id;
  }

  /** Send what has failed again, with its id. */
  retry(key) {
    const message = this.messages.find((each) => each.key === key);
    if (!message?.item) return;
    this.#outbox.add({ ...message.item, conversation: this.id });
    message.state = "sending";
    this.#tell("change");
    this.#patience.wake();
    void this.#flush();
  }

  /** Leave this conversation; the next message opens another one. */
  leave() {
    this.#outbox.drop(this.id, { unassigned: true });
    // A link to a conversation has its token: the next one needs another.
    if (this.isRefused || isAnonymous(this.api.token)) this.#forgetToken();
    this.#forget();
  }

  /** Go to another conversation: one of ours, or with its token one of another device. */
  adopt(id, token = null) {
    this.#outbox.drop(this.id, { unassigned: true });
    this.#forget();
    if (token) this.keepToken(token);
    this.#drawer.set("id", id);
  }

  /** Use a credential from now on: a key, or a token that an application signed. */
  keepToken(token) {
    this.api.token = token;
    // A key may open more than this conversation: it does not outlive its tab.
    this.#drawer.set("token", token, { isBrief: !isAnonymous(token) });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #setOnline(isOnline) {
    if (this.isOnline === isOnline) return;
    this.isOnline = isOnline;
    this.#tell("status");
  }

  /** Begin a stay. What is under way belongs to the one before, and ends with it. */
  #enter() {
    this.#stay.abort();
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    addEventListener("online", () => this.#patience.wake(), { signal });
    return signal;
  }

  #forget() {
    this.#enter();
    this.#drawer.remove("id");
    this.#said.clear();
    this.#setWaiting(null);
    this.id = null;
    this.isTyping = this.isRefused = false;
    this.desk = this.agent = null;
    this.isLoaded = true;
    this.#tell("change");
  }

  #showUnsent() {
    for (const item of this.#outbox.list(this.id)) {
      if (!this.#said.find(item.message_id)) this.#said.showUnsent(item, this.isRefused ? "waiting" : "sending");
    }
    this.#tell("change");
  }

  #forgetToken() {
    this.#drawer.remove("token");
    this.api.token = null;
  }

  /** Another tab has opened a conversation while there was none here: it is the one of both. */
  #meetOther(event) {
    if (event.key !== this.#drawer.nameOf("id") || !event.newValue) return;
    if (!this.id && this.isLoaded && !this.isRefused && !this.#flushing) void this.resume();
  }

  /** After a problem that does not pass. */
  #end(problem) {
    if (problem.status === 401) {
      this.#enter();
      this.isTyping = false;
      this.isRefused = true;
      for (const message of this.messages) if (message.state === "sending") message.state = "waiting";
      this.#tell("change");
      this.#tell("unauthenticated", problem);
      return;
    }
    this.#outbox.drop(this.id);
    this.#forget();
    this.#tell("gone", problem);
    this.#showUnsent();
    void this.#flush();
  }

  get #path() {
    return `api/conversations/${encodeURIComponent(this.id)}`;
  }

  async #load(signal) {
    for (let after = 0, failures = 0; after !== null;) {
      try {
        const page = await this.api.get(`${this.#path}/messages?after=${after}&limit=${PAGE}`, { signal });
        signal.throwIfAborted();
        this.#setOnline(true);
        page.messages.forEach((said) => this.#take(said));
        after = page.next;
        failures = 0;
      } catch (problem) {
        if (signal.aborted || !problem.isPassing) throw problem;
        this.#setOnline(false);
        await this.#patience.wait(problem, failures++, signal);
      }
    }
    await this.#refresh(signal);
  }

  #take(said) {
    this.#said.take(said);
    if (said.author === "user" && said.message_id) this.#outbox.remove(said.message_id);
  }

  #setWaiting(waiting, turn) {
    this.#news += 1;
    this.waiting = waiting && { ...waiting, turn };
  }

  /** What the assistant waits for. */
  async #refresh(signal) {
    const news = this.#news;
    try {
      const state = await this.api.get(this.#path, { signal });
      if (signal.aborted || news !== this.#news) return; // Something newer is known.
      this.#setWaiting(state.waiting, state.turn);
      const isBack = !state.desk && this.desk;
      this.desk = isBack ? "back" : state.desk;
      this.agent = state.agent;
    } catch { /* it is told again with the next turn */ }
  }

  #refreshSoon(signal) {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(async () => {
      await this.#refresh(signal);
      if (!signal.aborted) this.#tell("change");
    }, REFRESH_MS);
  }

  async #follow(signal) {
    for (let failures = 0; !signal.aborted; failures += 1) {
      let problem = new Problem();
      try {
        const options = { lastEventId: this.#said.lastId, signal };
        options.onOpen = () => {
          failures = 0;
          this.#setOnline(true);
          this.#patience.wake();
        };
        for await (const { event, data } of this.api.stream(`${this.#path}/events`, options)) {
          if (signal.aborted) return;
          const isOwn = this.#said.find(data.message_id)?.item !== undefined;
          if (event === "message") this.#take(data);
          this.#tell("change");
          // What another device or the desk did changes what is waited for, and who answers.
          if (!isOwn) this.#refreshSoon(signal);
        }
      } catch (error) {
        problem = error;
        if (signal.aborted) return;
        if (!problem.isPassing) {
          this.#end(problem);
          return;
        }
        this.#setOnline(false);
      }
      await this.#patience.wait(problem, failures, signal);
    }
  }

  async #flush() {
    const { signal } = this.#stay;
    if (this.#flushing === signal || !this.isLoaded || this.isRefused) return;
    this.#flushing = signal;
    let failures = { all: 0, lasting: 0 };
    try {
      for (let item; !signal.aborted && (item = this.#outbox.list(this.id)[0]);) {
        try {
          await this.#deliver(item, signal);
          failures = { all: 0, lasting: 0 };
          this.#setOnline(true);
        } catch (error) {
          if (signal.aborted) return;
          const problem = error instanceof Problem ? error : new Problem({ status: 500, code: "page" });
          await this.#bear(item, problem, failures, signal);
        }
        if (signal.aborted) return;
        this.isTyping = false;
        this.#tell("change");
      }
    } finally {
      if (this.#flushing === signal) this.#flushing = null;
      if (!signal.aborted) {
        this.isTyping = false;
        this.#tell("change");
      }
    }
  }

  /** After a failure: wait, give the message up, or the conversation. */
  async #bear(item, problem, failures, signal) {
    this.#said.dropDrafts(item.message_id);
    this.isTyping = false;
    if (problem.status === 401 || problem.status === 404) {
      this.#end(problem);
      return;
    }
    // The stream of events may have told already that it was said.
    const message = this.#outbox.has(item) ? this.#said.find(item.message_id) : null;
    if (problem.status >= 500 && problem.code !== "busy") failures.lasting += 1;
    if (problem.isPassing && failures.lasting < MAX_ATTEMPTS) {
      if (message) message.state = "waiting";
      if (problem.status === 0) this.#setOnline(false);
      this.#tell("change");
      await this.#patience.wait(problem, failures.all++, signal);
      return;
    }
    Object.assign(failures, { all: 0, lasting: 0 });
    this.#outbox.remove(item.message_id);
    // A button that was refused would be refused again.
    if (item.press !== undefined && problem.status < 500) this.#said.dropUnsent(item.message_id);
    else if (message) message.state = "failed";
    this.#tell("problem", problem);
    await this.#refresh(signal);
  }

  /** Open a conversation, or take the one that another tab has opened meanwhile. */
  async #open(signal) {
    const isNew = await this.#drawer.hold("open", async () => {
      signal.throwIfAborted();
      if (this.keptId) return false;
      const opened = await this.api.open({ signal });
      signal.throwIfAborted();
      if (this.keptId) return false; // Where there are no locks, both have asked.
      if (opened.token) this.keepToken(opened.token);
      this.#drawer.set("id", opened.id);
      return true;
    });
    signal.throwIfAborted();
    this.id = this.keptId;
    if (!isNew) {
      this.api.token = this.#drawer.get("token") ?? this.api.token;
      await this.#load(signal);
    }
    void this.#follow(signal);
  }

  async #deliver(item, signal) {
    if (!this.id) await this.#open(signal);
    this.#outbox.assign(item, this.id);
    const message = this.#said.find(item.message_id);
    if (message) message.state = "sending";
    this.isTyping = true;
    this.#tell("change");
    const { at, conversation, ...body } = item;
    const write = this.#said.beginAnswer(item.message_id);
    for await (const { event, data } of this.api.stream(`${this.#path}/messages`, { body, signal })) {
      signal.throwIfAborted();
      if (event === "error") throw new Problem(data);
      if (event === "turn") {
        this.#finish(item, data, signal);
        return;
      }
      write(event, data.text);
      this.#tell("change");
    }
    throw new Problem(); // The line broke before the turn came.
  }

  #finish(item, turn, signal) {
    this.#said.dropDrafts(item.message_id);
    this.#outbox.remove(item.message_id);
    if (turn.message_id !== item.message_id) {
      // It was read together with another message, which is shown and answered for both.
      this.#said.dropUnsent(item.message_id);
      this.#refreshSoon(signal);
      return;
    }
    const message = this.#said.find(item.message_id);
    if (message) Object.assign(message, { state: "said", item: null });
    turn.replies.forEach((reply, place) =>
      this.#said.showReply(item.message_id, place, { ...reply, turn: turn.turn }, "said"),
    );
    // A turn of before has the answers of before, and what is waited for now.
    if (!turn.repeated) this.#setWaiting(turn.waiting, turn.turn);
    const isHandedOff = this.desk === "waiting" || this.desk === "answering";
    if (turn.repeated || turn.handed_off !== isHandedOff) this.#refreshSoon(signal);
  }
}

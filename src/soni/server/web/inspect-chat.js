// The conversation beside its turns: which messages belong to a turn, and the words of a slot.

import { MessageList, cutText, linkText, make, offerAnswers } from "./messages.js";

const find = (id) => document.getElementById(id);

/** Shows what was said in `talk`; `onSeq(seq)` when the turn of a message is wanted. */
export class ChatView {
  #isLive = true;

  constructor(talk, onSeq) {
    this.talk = talk;
    this.list = new MessageList(find("messages"), {
      words: { waiting: "Waiting for the network", failed: "Not sent", retry: "Again", choices: "Choices", choose: "Choose" },
      onPick: (label, message) => talk.send(message.ui.isSaid ? { text: label } : { press: label, turn: message.turn }),
      onRetry: (message) => talk.retry(message.key),
      nameOf: (message) => (message.author === "user" && message.turn ? `Turn ${message.turn}` : null),
    });
    find("messages").addEventListener("click", (event) => {
      const key = event.target.closest("button") ? null : event.target.closest("li")?.dataset.key;
      const message = talk.messages.find((each) => each.key === key);
      if (message?.id) onSeq(seqOf(message));
    });
    // The last buttons stay above the edge whatever takes some of the height.
    new ResizeObserver(() => this.#isLive && this.#scrollToEnd()).observe(find("scroll"));
  }

  /** Who is talked to, and what can be said first. */
  greet(title, suggestions) {
    find("chat-title").textContent = `Conversation with ${title}`;
    const say = (text) => () => {
      find("greeting").hidden = true; // A second click says nothing more.
      this.talk.send({ text });
    };
    find("suggestions").replaceChildren(...suggestions.map((text) => make("button", { type: "button", onclick: say(text) }, text)));
  }

  /** `turn` is the one that is looked at; `isLive`: it is the newest. */
  render(turn, isLive, slot) {
    this.#isLive = isLive;
    this.list.render(offerAnswers(this.talk.messages, isLive && !this.talk.isTyping ? this.talk.waiting : null));
    find("greeting").hidden = this.talk.messages.length > 0;
    for (const message of this.talk.messages) {
      const item = this.#findItem(message);
      const seq = message.id ? seqOf(message) : Infinity;
      item?.classList.toggle("later", Boolean(turn) && !isLive && seq > turn.seq);
      item?.classList.toggle("chosen", Boolean(turn) && seq === turn.seq);
    }
    this.mark(slot);
    this.#scroll(turn, isLive);
  }

  /** Mark the words that a slot comes from. */
  mark(slot) {
    for (const bubble of find("messages").querySelectorAll(".bubble:has(mark)")) bubble.replaceChildren(...linkText(bubble.textContent));
    find("messages").querySelectorAll(".source").forEach((item) => item.classList.remove("source"));
    const message = slot && this.talk.messages.find((each) => each.author === "user" && each.id?.startsWith(`${slot.seq}:`));
    const item = message && this.#findItem(message);
    if (!item) return;
    item.classList.add("source");
    const [span, bubble] = [slot.evidence?.span, item.querySelector(".bubble")];
    if (span) {
      const [start, end] = span;
      const mark = document.createElement("mark");
      mark.textContent = cutText(message.text, start, end);
      bubble.replaceChildren(cutText(message.text, 0, start), mark, cutText(message.text, end));
    }
    item.scrollIntoView({ block: "nearest" });
  }

  #scroll(turn, isLive) {
    const message = turn && this.talk.messages.findLast((each) => each.id?.startsWith(`${turn.seq}:`));
    if (isLive) this.#scrollToEnd();
    else if (message) this.#findItem(message)?.scrollIntoView({ block: "nearest" });
  }

  #scrollToEnd() {
    find("scroll").scrollTop = find("scroll").scrollHeight;
  }

  #findItem(message) {
    return find("messages").querySelector(`[data-key="${CSS.escape(message.key)}"]`);
  }
}

function seqOf(message) {
  return Number(message.id.split(":")[0]);
}

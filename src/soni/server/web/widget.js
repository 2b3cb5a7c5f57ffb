// A chat on somebody's page: <script src="https://HOST/widget.js" data-accent="#0b6e4f" async></script>
// The chat runs in a frame of the server's own origin: the page's scripts and styles do not reach it.
(() => {
  const script = document.currentScript ?? document.querySelector('script[src$="/widget.js"]');
  if (!script || document.querySelector("soni-chat")) return;
  const home = new URL(".", script.src);
  const { accent = "", position = "right", language = "", title = "", theme = "", label = "", open } = script.dataset;
  let { token = "" } = script.dataset;
  const isColour = /^#[0-9a-f]{6}$/i.test(accent);
  const words = { en: ["Open chat", "Close chat", "Chat"], es: ["Abrir el chat", "Cerrar el chat", "Chat"] };
  const base = (language || document.documentElement.lang || navigator.language).slice(0, 2).toLowerCase();
  const [openText, closeText, chatText] = words[base] ?? words.en;

  const make = (tag, attributes) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const draw = (path) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true" })) svg.setAttribute(name, value);
    line.setAttribute("d", path);
    svg.append(line);
    return svg;
  };

  const host = make("soni-chat", {});
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { all: initial; position: fixed; z-index: 2147483000; inset: auto 20px 20px auto; color-scheme: light dark; }
    :host(.left) { inset: auto auto 20px 20px; }
    button { display: grid; place-items: center; width: 60px; height: 60px; padding: 0; border: 0; border-radius: 50%; cursor: pointer;
      background: var(--accent); color: var(--ink); box-shadow: 0 2px 6px rgb(0 0 0 / 18%), 0 8px 28px rgb(0 0 0 / 20%); transition: transform 160ms ease-out; }
    button:hover { transform: scale(1.06); }
    button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
    svg { grid-area: 1 / 1; width: 28px; height: 28px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; transition: opacity 160ms, transform 160ms; }
    svg:last-of-type, .open svg:first-of-type { opacity: 0; transform: rotate(-45deg) scale(0.6); }
    .open svg:last-of-type { opacity: 1; transform: none; }
    .badge { position: absolute; inset: -4px -4px auto auto; min-width: 22px; height: 22px; padding: 0 6px; box-sizing: border-box; border-radius: 11px; background: #c4271f; color: #fff; font: 600 12px/22px system-ui, sans-serif; text-align: center; }
    [role=dialog] { position: fixed; inset: auto 20px 96px auto; width: min(400px, calc(100vw - 40px)); height: min(680px, calc(100dvh - 120px)); border-radius: 18px; overflow: hidden;
      background: Canvas; box-shadow: 0 0 0 1px rgb(127 127 127 / 20%), 0 16px 56px rgb(0 0 0 / 28%); animation: rise 200ms ease-out; }
    :host(.left) [role=dialog] { inset: auto auto 96px 20px; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    [hidden] { display: none !important; }
    @keyframes rise { from { opacity: 0; transform: translateY(12px) scale(0.98); } }
    @media (max-width: 480px) { [role=dialog], :host(.left) [role=dialog] { inset: 0; width: auto; height: auto; border-radius: 0; } }
    @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
  `);
  shadow.adoptedStyleSheets = [sheet];
  if (position === "left") host.classList.add("left");

  const panel = make("div", { role: "dialog", "aria-label": title || chatText, id: "panel" });
  panel.hidden = true;
  const button = make("button", { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", "aria-controls": "panel", "aria-label": label || openText });
  const badge = make("span", { class: "badge", "aria-hidden": "true" });
  badge.hidden = true;
  button.append(draw("M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5z"), draw("m6 6 12 12M18 6 6 18"));
  shadow.append(panel, button, badge);

  // Black or white, whichever is easier to read on a colour, as the server's `choose_ink` does it.
  const chooseInk = (colour) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.179 ? "#ffffff" : "#000000";
  };
  const colour = isColour ? accent : "#2f5bea";
  host.style.setProperty("--accent", colour);
  host.style.setProperty("--ink", chooseInk(colour));

  let frame = null;
  let isReady = false;
  let unread = 0;

  const load = () => {
    const wishes = new URLSearchParams({ widget: "1" });
    for (const [name, value] of Object.entries({ language, title, theme, token, ...(isColour && { accent, ink: chooseInk(accent) }) })) if (value) wishes.set(name, value);
    frame = make("iframe", { src: `${home}#${wishes}`, title: title || chatText, allow: "clipboard-write", referrerpolicy: "no-referrer" });
    panel.append(frame);
  };
  const tell = (event, more) => isReady && frame.contentWindow.postMessage({ soni: event, ...more }, home.origin);
  const greet = () => tell("opened");
  const toggle = (isOpen) => {
    if (isOpen && !frame) load();
    panel.hidden = !isOpen;
    button.classList.toggle("open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
    button.setAttribute("aria-label", isOpen ? closeText : label || openText);
    if (isOpen) {
      unread = 0;
      badge.hidden = true;
      frame.focus();
      greet();
    } else button.focus();
  };

  button.addEventListener("click", () => toggle(panel.hidden));
  shadow.addEventListener("keydown", (event) => event.key === "Escape" && !panel.hidden && toggle(false));
  addEventListener("message", (event) => {
    if (!frame || event.source !== frame.contentWindow || event.origin !== home.origin) return;
    if (event.data?.soni === "close" && !panel.hidden) toggle(false);
    if (event.data?.soni === "ready") {
      isReady = true;
      if (!panel.hidden) greet();
    }
    // The token has expired: whoever hears this calls SoniChat.setToken with another one.
    if (event.data?.soni === "token") dispatchEvent(new CustomEvent("soni-token"));
    if (event.data?.soni === "said" && panel.hidden) {
      badge.textContent = String((unread += 1));
      badge.hidden = false;
      button.setAttribute("aria-label", `${label || openText} (${unread})`);
    }
  });
  // The page decides when: SoniChat.open(), .close(), and .toggle() for a button of its own.
  const setToken = (given) => {
    token = given;
    tell("token", { token });
  };
  window.SoniChat = { open: () => toggle(true), close: () => toggle(false), toggle: () => toggle(panel.hidden), setToken };
  const begin = () => {
    document.body.append(host);
    if (open !== undefined) toggle(true);
  };
  if (document.body) begin();
  else addEventListener("DOMContentLoaded", begin, { once: true });
})();

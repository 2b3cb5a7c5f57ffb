// What the pages themselves say, by language. An assistant's own texts are the author's.

const WORDS = {
  en: {
    online: "Online", offline: "No connection. Trying again…", person: "A person is answering",
    personWaits: "Waiting for a person", personNamed: "{name} is answering", personLeft: "The assistant is back",
    message: "Message", placeholder: "Write a message…", send: "Send", typing: "is typing",
    conversation: "Conversation", choices: "Choices", choose: "Choose", staff: "Team", note: "Notice",
    waiting: "Not sent yet. It will be sent again.", failed: "Not delivered.", retry: "Try again",
    menu: "Menu", language: "Language", restart: "New conversation", device: "Continue on another device",
    dark: "Dark mode", light: "Light mode", inspect: "Inspector", close: "Close", newest: "New messages",
    deviceAbout: "Open this address on the other device. Whoever has it can read and go on with this conversation.",
    copy: "Copy", copied: "Copied", copyFailed: "Copy it by hand", hello: "How can I help?",
    keyTitle: "Access key", keyAbout: "This assistant needs a key. Whoever runs it can give you one.",
    keyWrong: "This key is not known.", go: "Continue", gone: "The conversation from before is no longer there.",
    expired: "That button belongs to an earlier question.", failedHere: "Something went wrong on our side. Please try again.",
    busy: "There is a lot going on here. Please try again in a moment.", forbidden: "That is not possible with your access.",
    full: "There are too many conversations. Go on with one that you have.", tooLong: "That is too long: {length} characters. At most {longest} can be sent.",
    signedOut: "You are signed out. What you wrote is kept until you are back.",
    linked: "You opened this conversation by a link. Whoever has the link can read it.",
    adopt: "Open the conversation of this link?", adoptAbout: "Whoever gave you the link can read what you write in it. The conversation in this browser would be left for good.",
    adoptGo: "Open it", adoptStay: "Keep mine",
  },
  es: {
    online: "En línea", offline: "Sin conexión. Reintentando…", person: "Responde una persona",
    personWaits: "Esperando a una persona", personNamed: "Responde {name}", personLeft: "Vuelve el asistente",
    message: "Mensaje", placeholder: "Escribe un mensaje…", send: "Enviar", typing: "está escribiendo",
    conversation: "Conversación", choices: "Opciones", choose: "Elegir", staff: "Equipo", note: "Aviso",
    waiting: "Aún no enviado. Se enviará de nuevo.", failed: "No se entregó.", retry: "Reintentar",
    menu: "Menú", language: "Idioma", restart: "Nueva conversación", device: "Continuar en otro dispositivo",
    dark: "Modo oscuro", light: "Modo claro", inspect: "Inspector", close: "Cerrar", newest: "Mensajes nuevos",
    deviceAbout: "Abre esta dirección en el otro dispositivo. Quien la tenga puede leer y continuar esta conversación.",
    copy: "Copiar", copied: "Copiado", copyFailed: "Cópiala a mano", hello: "¿En qué puedo ayudarte?",
    keyTitle: "Clave de acceso", keyAbout: "Este asistente necesita una clave. Puede dártela quien lo gestiona.",
    keyWrong: "Esta clave no se conoce.", go: "Continuar", gone: "La conversación anterior ya no existe.",
    expired: "Ese botón es de una pregunta anterior.", failedHere: "Algo ha fallado por nuestra parte. Inténtalo de nuevo.",
    busy: "Ahora mismo hay mucha actividad. Inténtalo de nuevo en un momento.", forbidden: "Eso no es posible con tu acceso.",
    full: "Hay demasiadas conversaciones. Sigue con una de las que tienes.", tooLong: "Es demasiado largo: {length} caracteres. Se pueden enviar {longest} como máximo.",
    signedOut: "Tu sesión ha terminado. Lo que has escrito se guarda hasta que vuelvas.",
    linked: "Has abierto esta conversación con un enlace. Quien lo tenga puede leerla.",
    adopt: "¿Abrir la conversación de este enlace?", adoptAbout: "Quien te dio el enlace puede leer lo que escribas en ella. La conversación de este navegador se dejaría para siempre.",
    adoptGo: "Abrirla", adoptStay: "Seguir con la mía",
  },
};

/** The texts of a language, English where there are none. */
export function getWords(language) {
  return WORDS[baseOf(language)] ?? WORDS.en;
}

const BY_CODE = {
  button_expired: "expired", not_allowed: "expired", forbidden: "forbidden", too_many_conversations: "full", too_many_requests: "busy",
  too_many_connections: "busy", busy: "busy", conversation_busy: "busy", turn_timeout: "busy",
};

/** What somebody who talks here is told of a problem. What the API says of it is for developers. */
export function explainProblem(words, code) {
  return words[BY_CODE[code] ?? "failedHere"];
}

/** A text with values at its names in braces. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The language without its region. */
export function baseOf(language) {
  return String(language ?? "").toLowerCase().split(/[-_]/)[0];
}

/** A text of the author's: one for all languages, or one for each. */
export function pickText(text, language) {
  if (text === null || typeof text !== "object") return text ?? "";
  return text[language] ?? text[baseOf(language)] ?? text.en ?? Object.values(text)[0];
}

/** The name of a language in itself. */
export function nameLanguage(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

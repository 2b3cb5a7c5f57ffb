// What the pages themselves say, by language. An assistant's own texts are the author's.

const WORDS = {
  en: {
    online: "Online", offline: "No connection. Trying again…", person: "A person is answering",
    message: "Message", placeholder: "Write a message…", send: "Send", typing: "is typing",
    conversation: "Conversation", choices: "Choices", you: "You", staff: "Team", note: "Notice",
    waiting: "Not sent yet. It will be sent again.", failed: "Not delivered.", retry: "Try again",
    menu: "Menu", language: "Language", restart: "New conversation", device: "Continue on another device",
    dark: "Dark mode", light: "Light mode", inspect: "Inspector", close: "Close", newest: "New messages",
    deviceAbout: "Open this address on the other device. Whoever has it can read and go on with this conversation.",
    copy: "Copy", copied: "Copied", hello: "How can I help?", says: "says",
    keyTitle: "Access key", keyAbout: "This assistant needs a key. Whoever runs it can give you one.",
    keyWrong: "This key is not known.", go: "Continue", problem: "That did not work", gone: "The conversation from before is no longer there.",
    open: "Open chat", unread: "new",
  },
  es: {
    online: "En línea", offline: "Sin conexión. Reintentando…", person: "Responde una persona",
    message: "Mensaje", placeholder: "Escribe un mensaje…", send: "Enviar", typing: "está escribiendo",
    conversation: "Conversación", choices: "Opciones", you: "Tú", staff: "Equipo", note: "Aviso",
    waiting: "Aún no enviado. Se enviará de nuevo.", failed: "No se entregó.", retry: "Reintentar",
    menu: "Menú", language: "Idioma", restart: "Nueva conversación", device: "Continuar en otro dispositivo",
    dark: "Modo oscuro", light: "Modo claro", inspect: "Inspector", close: "Cerrar", newest: "Mensajes nuevos",
    deviceAbout: "Abre esta dirección en el otro dispositivo. Quien la tenga puede leer y continuar esta conversación.",
    copy: "Copiar", copied: "Copiado", hello: "¿En qué puedo ayudarte?", says: "dice",
    keyTitle: "Clave de acceso", keyAbout: "Este asistente necesita una clave. Puede dártela quien lo gestiona.",
    keyWrong: "Esta clave no se conoce.", go: "Continuar", problem: "No ha funcionado", gone: "La conversación anterior ya no existe.",
    open: "Abrir el chat", unread: "nuevos",
  },
};

/** The texts of a language, English where there are none. */
export function getWords(language) {
  return WORDS[baseOf(language)] ?? WORDS.en;
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

"""Every sentence Soni says by itself, in English and Spanish. Authors override them by name."""

from collections.abc import Mapping
from types import MappingProxyType

from soni.core.texts import Text

BUILT_IN: Mapping[str, Text] = MappingProxyType({
    "cancel_confirm": {
        "en": "Do you want to cancel {flow}?",
        "es": "¿Quieres cancelar {flow}?",
    },
    "chitchat": {"en": "I'm here to help.", "es": "Estoy aquí para ayudarte."},
    "confirm_change": {
        "en": "What would you like to change?",
        "es": "¿Qué quieres cambiar?",
    },
    "correction_done": {"en": "{slot} is now {value}.", "es": "{slot} ahora es {value}."},
    "correction_too_late": {
        "en": "It is too late to change {slot}: that has already been done.",
        "es": "Ya es tarde para cambiar {slot}: eso ya está hecho.",
    },
    "correction_disabled": {
        "en": "{slot} cannot be changed any more.",
        "es": "{slot} ya no se puede cambiar.",
    },
    "disambiguate": {
        "en": "Which one do you mean: {options}?",
        "es": "¿A cuál te refieres: {options}?",
    },
    "disambiguate_none": {"en": "All right, none of those.", "es": "De acuerdo, ninguna."},
    "error": {
        "en": "Something went wrong, so I could not finish {flow}.",
        "es": "Algo ha fallado y no he podido terminar {flow}.",
    },
    "flow_cancelled": {"en": "I have cancelled {flow}.", "es": "He cancelado {flow}."},
    "flow_changed": {
        "en": "{flow} has changed meanwhile, so I start it again with what you told me.",
        "es": "{flow} ha cambiado entretanto; la empiezo de nuevo con lo que me dijiste.",
    },
    "flow_gone": {
        "en": "{flow} is no longer available.",
        "es": "{flow} ya no está disponible.",
    },
    "flow_limit_ask": {
        "en": "I can keep only {count} open at once. Shall I cancel {oldest} and start {flow}?",
        "es": "Solo puedo llevar {count} a la vez. ¿Cancelo {oldest} y empiezo {flow}?",
    },
    "flow_limit_cancelled": {
        "en": "I have cancelled {oldest} to make room for {flow}.",
        "es": "He cancelado {oldest} para hacer sitio a {flow}.",
    },
    "flow_limit_kept": {"en": "All right, nothing changes.", "es": "De acuerdo, nada cambia."},
    "flow_limit_reached": {
        "en": "I can keep only {count} open at once. Please finish or cancel one before {flow}.",
        "es": "Solo puedo llevar {count} a la vez. Termina o cancela algo antes de {flow}.",
    },
    "flow_resumed": {"en": "Back to {flow}.", "es": "Volvemos a {flow}."},
    "handoff": {
        "en": "I am connecting you with a person.",
        "es": "Te paso con una persona.",
    },
    "handoff_disabled": {
        "en": "I cannot connect you with a person here.",
        "es": "Aquí no puedo pasarte con una persona.",
    },
    "invalid_boolean": {"en": "Please answer yes or no.", "es": "Por favor, responde sí o no."},
    "invalid_choice": {
        "en": "Please choose one of: {values}.",
        "es": "Elige una de estas opciones: {values}.",
    },
    "invalid_date": {
        "en": "That is not a date I understand, such as 2026-03-02 or tomorrow.",
        "es": "No entiendo esa fecha; por ejemplo, 2026-03-02 o mañana.",
    },
    "invalid_datetime": {
        "en": "Please give a day and a time, such as tomorrow at 5 pm or 2026-03-02 17:30.",
        "es": "Da un día y una hora; por ejemplo, mañana a las 17:30 o 2026-03-02 17:30.",
    },
    "invalid_duration": {
        "en": "Please say how long, such as 2 hours or 1 hour and 30 minutes.",
        "es": "Di cuánto tiempo; por ejemplo, 2 horas o 1 hora y 30 minutos.",
    },
    "invalid_email": {
        "en": "Please give an e-mail address, such as ann@example.com.",
        "es": "Da una dirección de correo; por ejemplo, ana@example.com.",
    },
    "invalid_integer": {
        "en": "Please give a whole number.",
        "es": "Por favor, da un número entero.",
    },
    "invalid_list": {
        "en": "Please give a list of at most 100 items, such as bread, milk and eggs.",
        "es": "Da una lista de 100 elementos como mucho; por ejemplo, pan, leche y huevos.",
    },
    "invalid_money": {
        "en": "Please give an amount of money, such as $12.50 or 20 euros.",
        "es": "Da una cantidad de dinero; por ejemplo, 12,50 € o 20 dólares.",
    },
    "invalid_number": {"en": "Please give a number.", "es": "Por favor, da un número."},
    "invalid_object": {
        "en": "Named values are needed here, such as city: Madrid.",
        "es": "Aquí hacen falta valores con nombre, como city: Madrid.",
    },
    "invalid_phone": {
        "en": "Please give a phone number with its country code, such as +1 415 555 2671.",
        "es": "Da un teléfono con el prefijo de su país; por ejemplo, +34 600 123 456.",
    },
    "invalid_option": {
        "en": "Please choose one of the list.",
        "es": "Elige uno de la lista.",
    },
    "invalid_string": {"en": "Please answer with text.", "es": "Por favor, responde con texto."},
    "invalid_text": {"en": "Please answer with text.", "es": "Por favor, responde con texto."},
    "invalid_time": {
        "en": "Please give a time of day, such as 5:30 pm or 17:30.",
        "es": "Da una hora; por ejemplo, las 5 de la tarde o 17:30.",
    },
    "invalid_value": {
        "en": "That value is not possible here.",
        "es": "Ese valor no es posible aquí.",
    },
    "message_too_long": {
        "en": "That message is too long for me; please keep it under {limit} characters.",
        "es": "Ese mensaje es demasiado largo; por favor, que tenga menos de {limit} caracteres.",
    },
    "no": {"en": "No", "es": "No"},
    "more": {"en": "More", "es": "Más"},
    "more_options": {"en": "Say 'more' to see more.", "es": "Di 'más' para ver más."},
    "no_answer": {
        "en": "I have no answer to that.",
        "es": "No tengo respuesta para eso.",
    },
    "not_interruptible": {
        "en": "Let us finish {flow} first.",
        "es": "Terminemos primero {flow}.",
    },
    "not_understood": {
        "en": "I did not understand that.",
        "es": "No lo he entendido.",
    },
    "nothing_to_cancel": {
        "en": "There is nothing to cancel.",
        "es": "No hay nada que cancelar.",
    },
    "nothing_to_repeat": {
        "en": "There is nothing to repeat.",
        "es": "No hay nada que repetir.",
    },
    "out_of_scope": {
        "en": "I cannot help with that.",
        "es": "No puedo ayudarte con eso.",
    },
    "skip_required": {
        "en": "I need {slot} to go on.",
        "es": "Necesito {slot} para continuar.",
    },
    "slot_unavailable": {
        "en": "I could not use {slot}: {reason}",
        "es": "No he podido usar {slot}: {reason}",
    },
    "value_options": {
        "en": "You can choose: {values}.",
        "es": "Puedes elegir: {values}.",
    },
    "value_too_long": {
        "en": "That is too long; please use at most {limit} characters.",
        "es": "Es demasiado largo; usa como mucho {limit} caracteres.",
    },
    "yes": {"en": "Yes", "es": "Sí"},
    "what_i_can_do": {"en": "I can help with: {flows}.", "es": "Puedo ayudarte con: {flows}."},
})  # fmt: skip

# Said only where an author defines them.
OPTIONAL: tuple[str, ...] = ("welcome",)

"""What people say in Spanish to assistants of four businesses, and what it means there."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from soni.commands import Command
from soni.core.errors import Refusal
from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief
from soni.slots import SlotEnv, slot_types

_NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


def _slots(flow: str, **slots: Any) -> tuple[SlotBrief, ...]:
    return tuple(
        SlotBrief(name=name, flow=flow, **({"type": told} if isinstance(told, str) else told))
        for name, told in slots.items()
    )


_CUT = _slots(
    "pedir_cita",
    servicio={
        "type": "choice",
        "description": "Qué se hace el cliente",
        "values": {"corte": ("corte de pelo",), "tinte": ("color", "mechas"), "peinado": ()},
    },
    fecha={"type": "date", "description": "Día de la cita"},
    hora={"type": "time", "description": "Hora de la cita"},
    nombre={"type": "string", "description": "Nombre del cliente"},
    lavado={"type": "boolean", "description": "Si se lava el pelo antes"},
    nota={"type": "string", "description": "Algo que debamos saber", "required": False},
)
_HAIR = (
    FlowBrief(
        name="pedir_cita",
        description="Reservar una cita en la peluquería",
        examples=("quiero pedir cita", "necesito cortarme el pelo", "reservar hora"),
        slots=_CUT,
    ),
    FlowBrief(
        name="comprar_producto",
        description="Comprar un champú u otro producto",
        examples=("quiero comprar un champú", "vendéis productos para el pelo"),
        slots=_slots("comprar_producto", producto="string", unidades="integer"),
    ),
    FlowBrief(
        name="regalar_bono",
        description="Regalar un bono a otra persona",
        examples=("quiero regalar un bono", "comprar una tarjeta regalo"),
        slots=_slots("regalar_bono", importe="money", correo="email"),
    ),
)
_SEND = _slots(
    "transferencia",
    importe={"type": "money", "description": "Cuánto dinero se manda"},
    destinatario={"type": "string", "description": "Quién recibe el dinero"},
    concepto={"type": "string", "description": "Texto del concepto", "required": False},
    urgente={"type": "boolean", "description": "Si la transferencia es inmediata"},
)
_BANK = (
    FlowBrief(
        name="transferencia",
        description="Hacer una transferencia",
        examples=("quiero mandar dinero", "hacer una transferencia", "enviar un bizum"),
        slots=_SEND,
    ),
    FlowBrief(
        name="bloquear_tarjeta",
        description="Bloquear una tarjeta perdida o robada",
        examples=("he perdido la tarjeta", "me han robado la cartera", "bloquear mi tarjeta"),
        slots=_slots("bloquear_tarjeta", tarjeta="string"),
    ),
    FlowBrief(
        name="pedir_prestamo",
        description="Solicitar un préstamo",
        examples=("necesito un préstamo", "quiero pedir un crédito"),
        slots=_slots("pedir_prestamo", cantidad="money", plazo="duration"),
    ),
)
_TABLE = _slots(
    "reservar_mesa",
    dia={"type": "date", "description": "Día de la reserva"},
    hora={"type": "time", "description": "Hora de la reserva"},
    personas={"type": "integer", "description": "Cuántas personas vienen"},
    terraza={"type": "boolean", "description": "Si se quiere sentar en la terraza"},
)
_FOOD = (
    FlowBrief(
        name="reservar_mesa",
        description="Reservar una mesa",
        examples=("quiero reservar mesa", "una mesa para cenar", "tenéis sitio para comer"),
        slots=_TABLE,
    ),
    FlowBrief(
        name="pedir_domicilio",
        description="Pedir comida a domicilio",
        examples=("quiero pedir a domicilio", "me traéis una pizza a casa"),
        slots=_slots(
            "pedir_domicilio",
            plato={"type": "string", "description": "Plato de la carta"},
            raciones={"type": "integer", "description": "Cuántas raciones"},
            direccion={"type": "string", "description": "Dirección de entrega"},
        ),
    ),
)
# Written in English, for people who speak Spanish.
_CLAIM = _slots(
    "report_claim",
    policy={"type": "string", "description": "Number of the policy"},
    happened={"type": "date", "description": "Day of the accident"},
    place={"type": "string", "description": "Address where it happened"},
    injured={"type": "boolean", "description": "Whether somebody was injured"},
)
_SAFE = (
    FlowBrief(
        name="report_claim",
        description="Report an accident or damage",
        examples=("I had an accident", "report a claim", "my car was damaged"),
        slots=_CLAIM,
    ),
    FlowBrief(
        name="get_quote",
        description="Get a quote for a new insurance",
        examples=("I want a quote", "how much is car insurance"),
        slots=_slots("get_quote", kind="string"),
    ),
    FlowBrief(
        name="change_address",
        description="Change the address of a policy",
        examples=("I have moved house", "update my address"),
        slots=_slots("change_address", address="string"),
    ),
)
_FLOWS = {"pelu": _HAIR, "banco": _BANK, "mesa": _FOOD, "seguro": _SAFE}
_FILLED = {
    "pelu": {"servicio": "corte", "fecha": "2026-03-12", "hora": "17:00:00", "nombre": "Ana"},
    "banco": {"importe": {"amount": 50, "currency": "EUR"}, "destinatario": "Luis"},
    "mesa": {"dia": "2026-03-06", "hora": "21:00:00", "personas": 4},
    "seguro": {"policy": "4821-LKM", "happened": "2026-02-27", "place": "calle Mayor 3"},
}


async def read(message: str, at: str, language: str = "es") -> list[Command]:
    """What a message means at "assistant", "assistant:slot asked" or "assistant:confirm"."""
    name, _, asked = at.partition(":")
    asked, _, paused = asked.partition("/")
    flow = _FLOWS[name][0] if not paused else _FLOWS[name][1]
    kind = "confirm" if asked == "confirm" else "collect"
    before = list(_FILLED[name])
    if asked in before:
        before = before[: before.index(asked)]
    known = {slot: _FILLED[name][slot] for slot in before} if not paused else {}
    context = DialogueContext(
        available_flows=_FLOWS[name],
        current_flow=flow.name if asked else "none",
        current_slots=known if asked else {},
        paused_flows=(paused,) if paused else (),
        expected_slots=flow.slots if asked else (),
        waiting_for_slot=asked if asked and kind == "collect" else None,
        asked={"kind": kind, "prompt": "¿?", "data": {}} if asked else None,
        now=_NOW,
        language=language,
    )
    output = await LocalNLU().understand(message, [], context)
    return [one for one in output.commands if isinstance(one, Command)]


def told(commands: list[Command]) -> str:
    """The commands in short: what they do, to which flow or slot, and with which value."""
    return "; ".join(sorted(_short(command) for command in commands))


def _short(command: Command) -> str:
    about = ("flow_name", "slot_name", "slot_to_change")
    names = [str(getattr(command, one)) for one in about if getattr(command, one, None)]
    value = getattr(command, "value", getattr(command, "new_value", None))
    return " ".join([command.type, *names, *([_stored(names[0], value)] if names else [])]).strip()


def _stored(slot: str, value: Any) -> str:
    """A value as a write would store it."""
    if value is None:
        return ""
    brief = next(s for flows in _FLOWS.values() for f in flows for s in f.slots if s.name == slot)
    try:
        stored = slot_types()[brief.type].coerce(value, brief, SlotEnv(now=_NOW, language="es"))
    except Refusal:
        return str(value)
    return str(stored["amount"] if isinstance(stored, dict) else stored)


@pytest.mark.parametrize("language", ["es", "es-MX", "es_ES", "ES"])
@pytest.mark.parametrize(
    ("at", "message", "meant"),
    [
        ("banco:confirm", "me vale", "AffirmConfirmation"),
        ("banco:confirm", "hay un error", "DenyConfirmation"),
        ("banco:concepto", "me da igual, gracias", "SkipSlot"),
        ("pelu", "muy buenas", "ChitChat"),
    ],
)
async def test_spanish_is_spanish_however_its_name_is_written(
    at: str, message: str, meant: str, language: str
) -> None:
    assert told(await read(message, at, language)) == meant


STARTS = [
    ("pelu", "hola, me gustaría cortarme el pelo", "pedir_cita"),
    ("pelu", "¿me podéis dar cita?", "pedir_cita"),
    ("pelu", "¿puedo reservar una cita?", "pedir_cita"),
    ("pelu", "busco un champú para pelo seco", "comprar_producto"),
    ("pelu", "queria regalarle un bono a mi madre", "regalar_bono"),
    ("banco", "tengo que mandarle dinero a mi hermano", "transferencia"),
    ("banco", "creo que me han robado la tarjeta!!", "bloquear_tarjeta"),
    ("banco", "perdí la tarjeta ayer", "bloquear_tarjeta"),
    ("banco", "estoy pensando en solicitar un prestamo", "pedir_prestamo"),
    ("mesa", "una mesa para esta noche por favor", "reservar_mesa"),
    ("mesa", "¿podríais traerme algo de comida a casa?", "pedir_domicilio"),
    ("seguro", "he tenido un accidente", "report_claim"),
    ("seguro", "quiero un presupuesto de un seguro", "get_quote"),
    ("seguro", "me he mudado, necesito cambiar la dirección", "change_address"),
    ("pelu:hora", "antes quiero comprar un champú", "comprar_producto"),
    ("banco:importe", "espera, he perdido la tarjeta", "bloquear_tarjeta"),
    ("mesa:personas", "oye, necesito pedir comida a domicilio", "pedir_domicilio"),
]


@pytest.mark.parametrize(("at", "message", "flow"), STARTS)
async def test_a_wish_with_a_word_of_the_author_starts_the_flow(
    at: str, message: str, flow: str
) -> None:
    assert [one for one in await read(message, at) if one.type == "StartFlow"]
    assert f"StartFlow {flow}" in told(await read(message, at))


NO_STARTS = [
    ("pelu:fecha", "el 12 me viene bien"),
    ("pelu:fecha", "cualquier día menos el martes me va bien"),
    ("pelu:nombre", "a nombre de mi madre, que me la regala"),
    ("pelu:lavado", "sí, que lo tengo muy sucio"),
    ("pelu:hora", "tipo cinco y media"),
    ("banco:importe", "con 20 euros llega"),
    ("banco:destinatario", "a mi prima la que perdió la cartera"),
    ("banco:urgente", "no corre prisa"),
    ("mesa:personas", "seremos unos seis"),
    ("mesa:hora", "para cenar, sobre las 21:30"),
    ("mesa:terraza", "dentro mejor, que hace frío"),
    ("seguro:place", "en la calle Mayor, al lado de casa"),
    ("pelu:confirm", "sí, ahí estaré"),
]


@pytest.mark.parametrize(("at", "message"), NO_STARTS)
async def test_an_answer_starts_nothing_else(at: str, message: str) -> None:
    assert "StartFlow" not in told(await read(message, at))


ACTS = [
    ("pelu:fecha", "ya no quiero la cita", "CancelFlow"),
    ("pelu:fecha", "mira, mejor lo dejamos", "CancelFlow"),
    ("pelu:hora", "déjalo, ya llamaré más adelante", "CancelFlow"),
    ("pelu:nombre", "olvida la cita", "CancelFlow"),
    ("pelu:nombre", "no quiero seguir con esto", "CancelFlow"),
    ("banco:importe", "he cambiado de opinión, no quiero mandar nada", "CancelFlow"),
    ("banco:destinatario", "cancela la transferencia", "CancelFlow"),
    ("banco:confirm", "no, olvídalo", "CancelFlow"),
    ("mesa:hora", "ya no hace falta la mesa, comemos en casa", "CancelFlow"),
    ("mesa:hora", "quiero anular la reserva", "CancelFlow"),
    ("seguro:place", "ya no necesito el parte", "CancelFlow"),
    ("seguro:kind/report_claim", "volvamos al accidente", "ResumeFlow report_claim"),
    ("pelu:producto/pedir_cita", "sigamos con lo de antes", "ResumeFlow"),
    ("pelu:producto/pedir_cita", "volvamos a la cita", "ResumeFlow pedir_cita"),
    ("banco:tarjeta/transferencia", "quiero terminar la transferencia", "ResumeFlow transferencia"),
    ("pelu:nota", "prefiero no decirlo", "SkipSlot"),
    ("pelu:nota", "nada, sigue", "SkipSlot"),
    ("banco:concepto", "sin concepto", "SkipSlot"),
    ("banco:concepto", "no quiero poner ningún concepto", "SkipSlot"),
    ("pelu:fecha", "me da lo mismo", "SkipSlot"),
    ("pelu:hora", "cuando os venga bien", "SkipSlot"),
    ("pelu", "muy buenas tardes", "ChitChat"),
    ("banco", "qué simpático eres", "ChitChat"),
    ("mesa", "muchísimas gracias por todo", "ChitChat"),
    ("banco:importe", "ponme con una persona, por favor", "HumanHandoff"),
    ("banco", "quiero hablar con un gestor", "HumanHandoff"),
    ("seguro", "¿me puede atender alguien de verdad?", "HumanHandoff"),
    ("mesa:dia", "¿me lo puedes repetir?", "RepeatLast"),
    ("mesa:dia", "perdona, no te he oído bien", "RepeatLast"),
    ("mesa:dia", "qué me has preguntado?", "RepeatLast"),
    ("banco", "recomiéndame una serie", "OutOfScope"),
    ("pelu", "¿quién ganó el mundial?", "OutOfScope"),
    ("mesa", "quiero aprender a tocar la guitarra", "OutOfScope"),
]


@pytest.mark.parametrize(("at", "message", "meant"), ACTS)
async def test_what_somebody_does_is_told_by_the_words(at: str, message: str, meant: str) -> None:
    assert told(await read(message, at)) == meant


QUESTIONS = [
    ("pelu:fecha", "¿abrís los domingos?"),
    ("pelu:hora", "hasta que hora abris?"),
    ("pelu:nombre", "y eso para que lo quereis?"),
    ("pelu:lavado", "¿cuánto cuesta el lavado?"),
    ("banco:importe", "cuanto se puede mandar como maximo"),
    ("banco:destinatario", "por que me lo preguntas"),
    ("banco:urgente", "¿tiene algún coste?"),
    ("mesa:dia", "¿tenéis menú infantil?"),
    ("mesa:terraza", "¿se puede fumar?"),
    ("seguro:policy", "¿dónde pone el número?"),
    ("seguro:injured", "eso por que lo quieren saber?"),
    ("mesa", "¿dónde se puede aparcar?"),
]


@pytest.mark.parametrize(("at", "message"), QUESTIONS)
async def test_a_question_is_one_with_and_without_accents(at: str, message: str) -> None:
    assert told(await read(message, at)) == "Clarify"


CHANGES = [
    ("pelu:nombre", "uy no, el 12 no puedo, ponme el 13", "CorrectSlot fecha 2026-03-13"),
    ("pelu:nombre", "perdona, mejor el viernes", "CorrectSlot fecha 2026-03-06"),
    ("pelu:confirm", "no, mejor a las 18:30", "CorrectSlot hora 18:30:00"),
    ("pelu:confirm", "está mal la hora", "DenyConfirmation hora"),
    ("pelu:confirm", "el nombre no es correcto", "DenyConfirmation nombre"),
    ("pelu:confirm", "quiero cambiar la fecha", "DenyConfirmation fecha"),
    ("pelu:confirm", "me he equivocado de nombre, es Lucía", "CorrectSlot nombre Lucía"),
    ("banco:confirm", "cambia el destinatario a Pedro", "CorrectSlot destinatario Pedro"),
    ("banco:confirm", "a Luis no, a Marta", "CorrectSlot destinatario Marta"),
    ("banco:urgente", "perdón, que sean 60 euros", "CorrectSlot importe 60"),
    ("mesa:terraza", "al final somos cinco personas, no cuatro", "CorrectSlot personas 5"),
    ("seguro:confirm", "no, avenida de la Paz 12", "CorrectSlot place avenida de la Paz 12"),
    ("seguro:confirm", "la dirección está mal, es calle Sol 8", "CorrectSlot place calle Sol 8"),
    ("seguro:injured", "me equivoqué con la póliza, es 9911-XYZ", "CorrectSlot policy 9911-XYZ"),
    ("seguro:confirm", "hay un error en la dirección", "DenyConfirmation place"),
]


@pytest.mark.parametrize(("at", "message", "meant"), CHANGES)
async def test_what_was_said_before_is_put_right(at: str, message: str, meant: str) -> None:
    assert told(await read(message, at)) == meant


ANSWERS = [
    ("pelu:nombre", "me llamo Rosa Prieto", "SetSlot nombre Rosa Prieto"),
    ("pelu:nombre", "pues a nombre de Rosa", "SetSlot nombre Rosa"),
    ("pelu:servicio", "tinte no, un corte", "SetSlot servicio corte"),
    ("pelu:lavado", "qué va, ya vengo con el pelo lavado", "SetSlot lavado False"),
    ("pelu:lavado", "claro, si no es molestia", "SetSlot lavado True"),
    ("pelu:lavado", "no hace falta lavarlo", "SetSlot lavado False"),
    ("banco:urgente", "para nada, sin prisa", "SetSlot urgente False"),
    ("banco:destinatario", "se llama Julia Mora", "SetSlot destinatario Julia Mora"),
    ("banco:concepto", "el concepto es alquiler de marzo", "SetSlot concepto alquiler de marzo"),
    ("mesa:terraza", "sí, que hace buen día", "SetSlot terraza True"),
    ("seguro:policy", "mi póliza es ABC-991", "SetSlot policy ABC-991"),
    ("seguro:place", "estoy en la plaza del Carmen", "SetSlot place la plaza del Carmen"),
    ("seguro:injured", "no, gracias a Dios", "SetSlot injured False"),
    (
        "mesa:plato/reservar_mesa",
        "tres raciones de croquetas",
        "SetSlot plato croquetas; SetSlot raciones 3",
    ),
    (
        "pelu:nombre",
        "mi nombre es Eva, y lavádmelo también",
        "SetSlot lavado True; SetSlot nombre Eva",
    ),
]


@pytest.mark.parametrize(("at", "message", "meant"), ANSWERS)
async def test_an_answer_is_the_value_without_what_leads_to_it(
    at: str, message: str, meant: str
) -> None:
    assert told(await read(message, at)).replace("CorrectSlot", "SetSlot") == meant


@pytest.mark.parametrize(
    "message", ["un segundo que la busco", "creo que la tiene mi mujer", "te la mando luego"]
)
async def test_a_sentence_without_a_code_is_no_code(message: str) -> None:
    assert await read(message, "seguro:policy") == []


def _sentences() -> list[tuple[str, str, str]]:
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    parts = (re.fullmatch(r"(\S+) \| (.+) => (.+)", line) for line in lines)
    return [(part[1], part[2], part[3]) for part in parts if part]


@pytest.mark.parametrize(("at", "message", "meant"), _sentences())
async def test_what_people_say_is_what_a_clerk_would_note_down(
    at: str, message: str, meant: str
) -> None:
    assert told(await read(message, at)) == meant

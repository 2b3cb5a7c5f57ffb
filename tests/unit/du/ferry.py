"""A ferry line with wallets and badges, and what a message is read as there."""

from datetime import UTC, datetime
from typing import Any

from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief

PORTS = {"Dover": (), "Calais": ("cal",), "Bergen": (), "Porto Torres": ()}


def slot(flow: str, name: str, type_: str = "string", description: str = "", **more: Any) -> Any:
    return SlotBrief(name=name, flow=flow, type=type_, description=description, **more)


FERRY = FlowBrief(
    name="book_ferry",
    description="I book a ferry.",
    examples=("book a ferry", "I want to take the ferry", "sail to Bergen"),
    slots=(
        slot("book_ferry", "port_from", "choice", "Where the ferry leaves from", values=PORTS),
        slot("book_ferry", "port_to", "choice", "Where the ferry goes", values=PORTS),
        slot("book_ferry", "sail_on", "date", "The day of the crossing"),
        slot("book_ferry", "back_on", "date", "The day of the way back", required=False),
        slot("book_ferry", "people", "integer", "How many people"),
        slot("book_ferry", "ferry", "object", "The ferry that was chosen"),
    ),
)
WALLETS = {"travel": ("travel wallet",), "daily": ("daily wallet", "everyday")}
GIFT = FlowBrief(
    name="pay_friend",
    description="I send money to a friend.",
    examples=("send money to a friend", "pay a friend", "send some money", "enviar dinero"),
    slots=(
        slot("pay_friend", "friend", "string", "Who gets the money"),
        slot("pay_friend", "amount", "number", "How many euros"),
        slot("pay_friend", "wallet", "choice", "Where the money comes from", values=WALLETS),
    ),
)
BADGE = FlowBrief(
    name="lock_badge",
    description="I lock a badge that is gone.",
    examples=("lock my badge", "my badge is gone", "he perdido mi placa", "bloquear mi placa"),
    slots=(slot("lock_badge", "badge", "string", "The last four digits of the badge"),),
)
CREDIT = FlowBrief(
    name="tell_credit",
    description="I tell how much is in a wallet.",
    examples=("how much credit do I have", "how much is in my wallet", "show my credit"),
    slots=(slot("tell_credit", "wallet", "choice", "Which wallet", values=WALLETS),),
)
FLOWS = (FERRY, GIFT, BADGE, CREDIT)


async def read(message: str, **about: Any) -> list[Any]:
    """What a message is read as while nothing is going on, or in the moment that is told."""
    context = DialogueContext(
        available_flows=FLOWS, now=datetime(2026, 3, 2, 10, tzinfo=UTC), **about
    )
    return list((await LocalNLU().understand(message, [], context)).commands)


async def answer(message: str, flow: FlowBrief, asked: str, **known: Any) -> list[Any]:
    """What a message is read as where a slot of a flow is asked."""
    prompt = known.pop("prompt", "And what?")
    data = {"options": known.pop("options")} if "options" in known else {}
    return await read(
        message,
        current_flow=flow.name,
        expected_slots=flow.slots,
        current_slots=known,
        waiting_for_slot=asked,
        asked={"kind": "collect", "prompt": prompt, "data": data},
    )


async def confirming(message: str, flow: FlowBrief, **known: Any) -> list[Any]:
    """What a message is read as where yes or no is asked."""
    return await read(
        message,
        current_flow=flow.name,
        expected_slots=flow.slots,
        current_slots=known,
        asked={"kind": "confirm", "prompt": "Shall I?", "data": {}},
    )

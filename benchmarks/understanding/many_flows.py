"""What a message costs an assistant of hundreds of flows, and how long others wait for it.

The yardstick, in the same run: a message to an assistant of ten of these flows, once it knows them.

    python benchmarks/understanding/many_flows.py [--flows 100 300 1000] [--messages 10]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from soni import RuntimeLoop, SoniConfig
from soni.du.local.analysis import load_models
from soni.persistence import open_store

_VERBS = (
    *("book", "cancel", "change", "check", "compare", "copy", "cover", "delay", "describe", "draw"),
    *("find", "fix", "insure", "move", "order", "paint", "print", "rent", "sell", "track"),
)
_THINGS = (
    *("bicycle", "boat", "boiler", "bridge", "camera", "carpet", "concert", "curtain", "desk"),
    *("dinner", "dishwasher", "door", "dress", "elevator", "fence", "ferry", "flight", "fridge"),
    *("garage", "garden", "guitar", "haircut", "helmet", "horse", "invoice", "jacket", "kitchen"),
    *("ladder", "lamp", "laptop", "lawyer", "license", "lock", "mattress", "medicine", "mirror"),
    *(
        "mortgage",
        "museum visit",
        "oven",
        "parcel",
        "passport",
        "phone",
        "piano",
        "pool",
        "printer",
    ),
    *("roof", "sofa", "taxi", "tent", "window"),
)
_VERBOS = (
    *("reservar", "cancelar", "cambiar", "consultar", "comparar", "copiar", "asegurar", "aplazar"),
    *("describir", "dibujar", "buscar", "arreglar", "mover", "pedir", "pintar", "imprimir"),
    *("alquilar", "vender", "seguir", "limpiar"),
)
_COSAS = (
    *("bicicleta", "barco", "caldera", "puente", "toldo", "alfombra", "concierto", "cortina"),
    *("escritorio", "cena", "lavavajillas", "puerta", "vestido", "ascensor", "valla", "vuelo"),
    *("nevera", "garaje", "huerto", "guitarra", "casco", "caballo", "factura", "chaqueta"),
    *("cocina", "escalera", "bombilla", "tableta", "abogado", "licencia", "cerradura", "cama"),
    *("medicina", "espejo", "hipoteca", "museo", "horno", "paquete", "pasaporte", "radio"),
    *("piano", "piscina", "impresora", "tejado", "butaca", "taxi", "tienda", "ventana", "corte"),
    "traje",
)


@dataclass(frozen=True)
class Speech:
    """What is written about flows, and said to them, in a language."""

    verbs: tuple[str, ...]
    things: tuple[str, ...]
    description: str
    examples: tuple[str, ...]
    message: str

    def said(self, number: int) -> str:
        """One of many messages, each about another flow."""
        verb = self.verbs[number * 3 % len(self.verbs)]
        thing = self.things[number * 11 % len(self.things)]
        return self.message.format(verb=verb, thing=thing)


SPEECH = {
    "en": Speech(
        _VERBS,
        _THINGS,
        "Help somebody {verb} a {thing}, matter {number}",
        (
            "I would like to {verb} a {thing}",
            "can you {verb} my {thing} please",
            "{verb} the {thing} for me",
        ),
        "please could someone {verb} our old {thing}",
    ),
    "es": Speech(
        _VERBOS,
        _COSAS,
        "Ayudar a alguien a {verb} un {thing}, asunto {number}",
        ("quiero {verb} un {thing}", "podéis {verb} mi {thing}", "necesito {verb} este {thing}"),
        "a ver si alguien puede {verb} nuestro {thing} viejo",
    ),
}


@dataclass(frozen=True)
class Cost:
    """Of a message, in seconds."""

    wall: float
    cpu: float
    stood: float
    """The longest that the event loop stood still."""

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s, {self.cpu:6.2f} s of CPU, loop stood {self.stood:6.3f} s"


def assistant(flows: int, language: str) -> SoniConfig:
    """An assistant of so many flows, each with a description and three examples."""
    written = dict(islice(_flows(SPEECH[language]), flows))
    return SoniConfig.model_validate({"settings": {"language": language}, "flows": written})


def _flows(speech: Speech) -> Iterator[tuple[str, object]]:
    verbs, things = speech.verbs, speech.things
    # Things first: neighbours differ in both.
    for number, (verb, thing) in enumerate(product(verbs, things)):
        near = things[(things.index(thing) + 7 * verbs.index(verb)) % len(things)]
        words = {"verb": verb, "thing": near, "number": number}
        yield (
            f"{verb}_{near}".replace(" ", "_"),
            {
                "description": speech.description.format(**words),
                "trigger": {"examples": [one.format(**words) for one in speech.examples]},
                "steps": [{"say": "Done."}],
            },
        )


async def costs(config: SoniConfig, messages: int) -> list[Cost]:
    """Of the first messages that an assistant gets, one after the other."""
    found = []
    speech = SPEECH[config.settings.language]
    async with RuntimeLoop(config, store=open_store("memory")) as runtime:
        for number in range(messages):
            # Each from somebody else: who is never understood is handed over to a person.
            found.append(await _cost(runtime, speech.said(number), f"user-{number}"))
    return found


async def _cost(runtime: RuntimeLoop, message: str, user: str) -> Cost:
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)

    ticking = asyncio.create_task(tick())
    wall, cpu = time.perf_counter(), time.process_time()
    await runtime.turn(message, user)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    await asyncio.sleep(0)
    ticking.cancel()
    return Cost(wall, cpu, longest)


def later(every: list[Cost]) -> Cost:
    """The median of all but the first."""
    rest = every[1:]
    return Cost(
        statistics.median(one.wall for one in rest),
        statistics.median(one.cpu for one in rest),
        max(one.stood for one in rest),
    )


async def main(sizes: list[int], messages: int) -> None:
    """Print as figures come in."""
    load_models()
    for language in SPEECH:
        yardstick = later(await costs(assistant(10, language), messages + 1))
        print(f"{language}, yardstick, 10 flows: {yardstick}", flush=True)
        for size in sizes:
            every = await costs(assistant(size, language), messages + 1)
            ratio = later(every).cpu / yardstick.cpu
            told = f"{language}, {size:5} flows"
            print(f"{told}, first: {every[0]}", flush=True)
            print(f"{told}, later: {later(every)}, {ratio:.1f} of the yardstick", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--flows", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--messages", type=int, default=10)
    given = parser.parse_args()
    asyncio.run(main(given.flows, given.messages))

"""call and link: flows that are parts of others, and flows that follow others."""

from soni.commands import CancelFlow, SetSlot, StartFlow
from tests.talking import talking_to

TRIP = """
slots:
  city: {prompt: Which city?}
  nights: {type: integer, prompt: How many nights?}
flows:
  trip:
    trigger: {examples: [plan a trip]}
    steps:
      - {step: ask, call: find_city, outputs: {city: place}, on_error: nowhere}
      - collect: nights
      - {say: "{nights} nights in {place}.", jump_to: end}
      - {step: nowhere, say: "Nowhere then: {_error_type}."}
  find_city:
    outputs: [city]
    steps:
      - collect: city
      - branch:
          - {condition: 'city == "Atlantis"', then: error}
          - {condition: 'city == "home"', then: cancel_flow}
          - {else: end}
  weather:
    trigger: {examples: [weather]}
    steps:
      - say: Sunny.
"""


async def test_the_child_runs_on_top_and_returns_silently_with_its_outputs() -> None:
    async with talking_to(TRIP) as talk:
        assert await talk.say("plan a trip") == ["Which city?"]
        assert talk.stack == ["trip", "find_city"]
        assert await talk.say("Rome") == ["How many nights?"]
        assert talk.stack == ["trip"]
        assert talk.slots == {"place": "Rome"}
        assert await talk.say("3") == ["3 nights in Rome."]


async def test_a_childs_error_is_the_steps_failure() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("plan a trip")
        assert await talk.say("Atlantis") == ["Nowhere then: error."]
        assert talk.ended == [("find_city", "error"), ("trip", "completed")]


async def test_the_childs_cancel_flow_cancels_the_task() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("plan a trip")
        assert await talk.say("home") == ["I have cancelled trip."]
        assert talk.ended == [("find_city", "cancelled"), ("trip", "cancelled")]
        assert talk.stack == []


async def test_cancelling_in_the_child_cancels_the_whole_task() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("plan a trip")
        assert await talk.say("cancel", CancelFlow()) == ["I have cancelled trip."]
        assert talk.stack == []


async def test_an_interrupted_call_is_returned_to_as_one_task() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("plan a trip")
        assert await talk.say("weather", StartFlow(flow_name="weather")) == [
            "Sunny.",
            "Back to trip.",
            "Which city?",
        ]
        assert talk.stack == ["trip", "find_city"]


async def test_a_slot_of_the_caller_can_be_filled_while_the_child_asks() -> None:
    async with talking_to(TRIP) as talk:
        await talk.say("plan a trip")
        both = (SetSlot(slot_name="city", value="Rome"), SetSlot(slot_name="nights", value=2))
        assert await talk.say("Rome, two nights", *both) == ["2 nights in Rome."]


async def test_inputs_come_from_the_step_or_from_slots_of_the_same_name() -> None:
    async with talking_to(
        """
        flows:
          hello:
            trigger: {examples: [hello]}
            steps:
              - set: {name: Ann, day: Monday}
              - {call: greet, inputs: {time: "{{ upper(day) }}"}}
          greet:
            inputs: [name, time]
            steps:
              - say: "{name} on {time}"
        """
    ) as talk:
        assert await talk.say("hello") == ["Ann on MONDAY"]


async def test_an_input_that_the_child_refuses_is_the_steps_failure() -> None:
    async with talking_to(
        """
        slots:
          age: {type: integer, prompt: Age?}
        flows:
          hello:
            trigger: {examples: [hello]}
            steps:
              - {call: greet, inputs: {age: old}, on_error: sorry}
              - {say: never, jump_to: end}
              - {step: sorry, say: "{_error_type}"}
          greet:
            inputs: [age]
            steps:
              - say: "{age}"
        """
    ) as talk:
        assert await talk.say("hello") == ["invalid_input"]


async def test_link_ends_this_flow_as_completed_and_starts_the_other_in_its_place() -> None:
    async with talking_to(
        """
        flows:
          order:
            trigger: {examples: [order]}
            outputs: [number]
            steps:
              - set: {number: 7}
              - link: survey
          survey:
            inputs: {number: {from: order.number}}
            steps:
              - {collect: grade, message: "How was order {number}?"}
              - say: Thank you.
        """
    ) as talk:
        assert await talk.say("order") == ["How was order 7?"]
        assert talk.ended == [("order", "completed")]
        assert talk.stack == ["survey"]
        assert await talk.say("good") == ["Thank you."]


async def test_inside_a_call_the_call_returns_when_the_linked_flow_ends() -> None:
    async with talking_to(
        """
        slots:
          answer: {prompt: Well?}
        flows:
          outer:
            trigger: {examples: [outer]}
            steps:
              - call: first
              - say: "got {answer}"
          first:
            steps:
              - link: second
          second:
            outputs: [answer]
            steps:
              - collect: answer
        """
    ) as talk:
        assert await talk.say("outer") == ["Well?"]
        assert talk.stack == ["outer", "second"]
        assert await talk.say("42") == ["got 42"]


async def test_flows_that_link_to_each_other_for_ever_end_as_an_error() -> None:
    async with talking_to(
        """
        settings: {runtime: {max_step_executions: 4}}
        slots:
          go: {type: boolean, prompt: Go?}
        flows:
          ping:
            trigger: {examples: [ping]}
            steps:
              - {collect: go, when: "1 > 2"}
              - link: pong
          pong:
            steps:
              - {collect: go, when: "1 > 2"}
              - link: ping
        """
    ) as talk:
        assert await talk.say("ping") == ["Something went wrong, so I could not finish ping."]
        assert talk.state["metadata"]["error"].startswith("loop_detected")
        assert await talk.say("ping") != []


STAY = """
slots:
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
flows:
  stay:
    trigger: {examples: [stay]}
    inputs: ["home?"]
    steps:
      - step: where
        type: call
        flow: find_city
        inputs: {hint: "{{ upper('abroad') }}"}
        outputs: {city: place}
        on_error: nowhere
        when: not home
        jump_to: tell
      - {say: {en: "At home.", es: "En casa."}, jump_to: end}
      - {step: tell, say: {en: "In {place}.", es: "En {place}."}, jump_to: end}
      - {step: nowhere, say: {en: "Nowhere.", es: "En ninguna parte."}}
  find_city:
    inputs: [hint]
    outputs: [city]
    steps:
      - say: "{hint}!"
      - collect: city
      - {type: branch, input: city, cases: {Atlantis: error, else: end}}
"""


async def test_after_the_call_the_jump_is_taken() -> None:
    async with talking_to(STAY) as talk:
        assert await talk.say("stay") == ["ABROAD!", "Which city?"]
        assert await talk.say("Rome") == ["In Rome."]


async def test_a_failed_call_takes_on_error_and_not_the_jump_in_spanish_too() -> None:
    async with talking_to(STAY) as talk:
        assert await talk.say("stay", language="es") == ["ABROAD!", "¿Qué ciudad?"]
        assert await talk.say("Atlantis", language="es") == ["En ninguna parte."]


async def test_a_guard_that_does_not_hold_passes_over_the_call() -> None:
    async with talking_to(STAY) as talk:
        start = StartFlow(flow_name="stay", slots={"home": True})
        assert await talk.say("stay at home", start) == ["At home."]

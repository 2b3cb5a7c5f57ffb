"""`soni chat`, as a program and as a person in a terminal use it."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from soni import SoniConfig
from soni.cli.chat.session import hold_conversation
from tests.program import Terminal, soni

ASSISTANT = """
slots:
  name: {prompt: What is your name?}
  pin: {prompt: Your pin?, sensitive: true}
flows:
  greet:
    trigger: {examples: [hi]}
    steps:
      - collect: name
      - say: "Hello, {name}!"
      - say: Welcome.
  unlock:
    trigger: {examples: [unlock]}
    steps:
      - collect: pin
      - collect: name
        message: And your name?
      - action: open_door
      - say: Open.
  leave:
    trigger: {examples: [bye]}
    steps:
      - confirm: Really?
"""
ACTIONS = """
from soni import action, normalizer

@action
async def open_door(name):
    raise RuntimeError("jammed")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "door"
    home.mkdir()
    (home / "soni.yaml").write_text(ASSISTANT)
    (home / "actions.py").write_text(ACTIONS)
    return home


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "soni", "chat", str(folder), *options]


def piped(folder: Path, text: str | bytes, *options: str) -> subprocess.CompletedProcess[str]:
    return soni("chat", folder, *options, given=text)


def test_piped_only_the_bots_messages_are_printed_one_per_line(folder: Path) -> None:
    chat = piped(folder, "hi\n\n   \nAlice\n")
    assert chat.stdout == "What is your name?\nHello, Alice!\nWelcome.\n"
    assert (chat.returncode, chat.stderr) == (0, "")


def test_the_conversation_goes_on_in_the_next_process_unless_it_is_in_memory(folder: Path) -> None:
    assert piped(folder, "hi\n").stdout == "What is your name?\n"
    assert (folder / ".soni" / "conversations.db").is_file()
    assert "Alice" not in piped(folder, "Alice\n", "--memory").stdout
    assert "Alice" not in piped(folder, "Alice\n", "--user", "bob").stdout
    assert piped(folder, "Alice\n").stdout == "Hello, Alice!\nWelcome.\n"


def test_a_store_that_the_author_named_is_used(folder: Path) -> None:
    settings = "settings: {persistence: {backend: memory}}\n"
    (folder / "soni.yaml").write_text(settings + ASSISTANT)
    assert piped(folder, "hi\n").stdout == "What is your name?\n"
    assert not (folder / ".soni").exists()


def test_commands_show_the_conversation_and_hide_what_is_sensitive(folder: Path) -> None:
    chat = piped(folder, "unlock\n1234\nhi\n/state\n/stack\n/slots\n/log\n", "--memory")
    assert chat.stdout == (
        "Your pin?\n"
        "And your name?\n"
        "What is your name?\n"
        "state        waiting_for_slot\n"
        "waiting for  slot name\n"
        "active flow  greet, at step collect_name\n"
        "turn         3\n"
        "greet   active, at step collect_name\n"
        "unlock  paused, at step collect_name\n"
        "unlock\n"
        "  pin  ••••\n"
        'turn 1  StartFlow flow_name="unlock": success\n'
        'turn 2  SetSlot slot_name="pin" value="••••": success\n'
        'turn 3  StartFlow flow_name="greet": success\n'
    )


def test_the_state_tells_a_yes_from_a_slot(folder: Path) -> None:
    chat = piped(folder, "bye\n/state\n", "--memory")
    assert "waiting for  a yes (confirm)\n" in chat.stdout


def test_before_anything_was_said_there_is_nothing_to_show(folder: Path) -> None:
    chat = piped(folder, "/state\n/stack\n/slots\n/log\n", "--memory")
    assert chat.stdout == (
        "state        idle\n"
        "waiting for  nothing\n"
        "active flow  none\n"
        "turn         0\n"
        "No flow is open.\nNo slot is filled.\nNo command has run yet.\n"
    )


def test_a_reset_begins_anew_and_quit_leaves(folder: Path) -> None:
    chat = piped(folder, "hi\n/reset\n/stack\n/quit\nhi\n")
    assert chat.stdout == "What is your name?\nThe conversation begins anew.\nNo flow is open.\n"
    assert chat.returncode == 0


def test_an_unknown_command_lists_those_there_are(folder: Path) -> None:
    chat = piped(folder, "/stat\n", "--memory")
    names = "/inspect, /why, /state, /stack, /slots, /log, /desk, /release, /reset, /help, /quit"
    assert chat.stderr == f"There is no command /stat; there are: {names}\n"
    assert [line.split()[0] for line in piped(folder, "/help\n").stdout.splitlines()] == (
        names.split(", ")
    )


def test_inspect_shows_paused_tasks_and_where_values_come_from(folder: Path) -> None:
    chat = piped(folder, "unlock\n1234\nhi\n/inspect\n", "--memory")
    assert chat.stdout.partition("What is your name?\n")[2] == (
        "waiting for  slot name: What is your name?\n"
        "greet  active, at step collect_name\n"
        "unlock  paused, at step collect_name\n"
        "  pin  ••••  turn 2, said\n"
    )


@pytest.mark.parametrize("view", ["/inspect", "/slots"])
def test_copies_of_secrets_are_masked_too(view: str, tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(
        """
slots:
  pin: {prompt: Your pin?, sensitive: true}
  tag: {}
  name: {prompt: And your name?}
flows:
  unlock:
    trigger: {examples: [unlock]}
    steps:
      - collect: pin
      - set: {tag: "{{ 'T-' + pin }}"}
      - collect: name
"""
    )
    told = piped(tmp_path, f"unlock\n471199\n{view}\n", "--memory").stdout
    assert "T-••••" in told
    assert "471199" not in told


def test_inspect_shows_that_yes_and_no_can_be_said(folder: Path) -> None:
    chat = piped(folder, "bye\n/inspect\n", "--memory")
    assert "Really?\noffered      Yes, No\n" in chat.stdout


def test_why_tells_what_the_last_message_led_to(folder: Path) -> None:
    assert piped(folder, "/why\n", "--memory").stdout == "Nothing has been said yet.\n"
    told = piped(folder, "hi\nAlice\n/state\n/why\n", "--memory").stdout.partition("turn 2")[2]
    lines = [line.split(maxsplit=1) for line in told.splitlines()[1:]]
    assert [line for line in lines if line[0] in ("user", "command")] == [
        ["user", "Alice"],
        ["command", 'SetSlot slot_name="name" value="Alice": accepted'],
    ]
    assert "  source     local, confidence " in told
    assert ["step", "greet.collect_name -> say_hello_name"] in lines


def test_who_was_handed_over_can_play_the_desk_and_give_the_conversation_back(folder: Path) -> None:
    chat = piped(folder, "hi\nhuman\n/desk\n/desk I am Ann.\n/release\nBob\n", "--memory")
    assert chat.stdout.endswith("desk: I am Ann.\nWhat is your name?\nHello, Bob!\nWelcome.\n")
    assert chat.stderr == "/desk needs what the person says: /desk I will look into it.\n"
    assert "not handed off" in piped(folder, "/desk hello\n/release\n", "--memory").stderr


def test_an_error_of_an_action_and_a_handoff_are_seen_in_the_state(folder: Path) -> None:
    chat = piped(folder, "unlock\n1\nBob\nhuman\n/state\n", "--memory")
    assert "last error   RuntimeError: jammed\n" in chat.stdout
    assert "handed off   yes: requested by the user\n" in chat.stdout
    assert chat.stderr == ""


def test_a_turn_that_fails_is_one_line_and_the_chat_goes_on(folder: Path) -> None:
    broken = ASSISTANT.replace("name: {prompt", "name: {normalizer: crash, prompt")
    (folder / "soni.yaml").write_text(broken)
    crash = "\n@normalizer\ndef crash(name):\n    return {'Bob': name}[name]\n"
    (folder / "actions.py").write_text(ACTIONS + crash)
    chat = piped(folder, "hi\nAlice\nBob\n", "--memory")
    assert chat.stdout == "What is your name?\nHello, Bob!\nWelcome.\n"
    assert chat.stderr.count("\n") == 1
    assert "Turn 2 of conversation 'default' failed: KeyError" in chat.stderr
    assert "turn_failed" in piped(folder, "hi\nAlice\n", "--memory", "--verbose").stderr


def test_verbose_shows_the_lines_of_the_author_that_failed_and_no_values(folder: Path) -> None:
    failing = 'def check(name):\n    raise LookupError(f"no {name}")\n\n\n'
    crash = "\n@normalizer\ndef crash(name):\n    return check(name)\n"
    broken = ASSISTANT.replace("name: {prompt", "name: {normalizer: crash, prompt")
    (folder / "soni.yaml").write_text(broken)
    (folder / "actions.py").write_text(ACTIONS + failing + crash)
    shown = piped(folder, "unlock\n1\nHunter2\n", "--memory", "--verbose").stderr
    assert 'in check\n    raise LookupError(f"no {name}")\nLookupError\n' in shown
    assert "in crash\n    return check(name)\n" in shown
    assert "Hunter2" not in shown.partition("function_traceback")[2].partition("LookupError\n")[0]


def test_why_a_model_understands_nothing_is_said_once_and_not_in_the_users_words(
    folder: Path,
) -> None:
    nobody = "http://127.0.0.1:9/v1"
    settings = f"settings: {{nlu: {{provider: llm, model: m, base_url: {nobody}, retries: 0}}}}\n"
    (folder / "soni.yaml").write_text(settings + ASSISTANT)
    chat = piped(folder, "blorp\nblorp\n", "--memory")
    assert chat.stdout.count("I did not understand that.") == 2
    assert chat.stderr == (
        "understanding failed: LMTransportError. "
        "Look at settings.nlu: provider, model, base_url, api_key_env.\n"
    )


def test_an_assistant_with_mistakes_is_not_talked_to(folder: Path) -> None:
    (folder / "soni.yaml").write_text("flows: 3\n")
    chat = piped(folder, "hi\n")
    assert (chat.returncode, chat.stdout) == (1, "")
    shown = subprocess.run(
        [sys.executable, "-m", "soni", "check", str(folder)], capture_output=True, check=False
    )
    assert "expected a mapping, found the number 3" in chat.stderr
    assert chat.stderr == shown.stdout.decode()


def test_bytes_that_are_no_text_and_signs_a_terminal_obeys_do_no_harm(folder: Path) -> None:
    chat = piped(folder, b"hi\n\xff\x1b[31mBob\n", "--memory")
    assert "\x1b" not in chat.stdout
    assert "Bob!" in chat.stdout


def test_each_message_is_there_before_the_next_line_is_read(folder: Path) -> None:
    process = subprocess.Popen(
        command(folder, "--memory"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    with process:
        for line, answer in (("hi", "What is your name?"), ("Alice", "Hello, Alice!")):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{answer}\n"
        process.stdin.close()
        assert process.stdout.read() == "Welcome.\n"
    assert process.returncode == 0


class Person:
    """Somebody at a terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._seen = ""

    def types(self, text: str) -> None:
        os.write(self._terminal.descriptor, text.encode())

    def waits_for(self, text: str) -> str:
        """Read until the text is there; what was read up to its end."""
        deadline = time.monotonic() + 60
        while text not in self._seen:
            assert time.monotonic() < deadline, f"never saw {text!r} in {self._seen!r}"
            if select.select([self._terminal.descriptor], [], [], 1)[0]:
                read = self._terminal.read()
                assert read, f"it ended without {text!r}: {self._seen!r}"
                self._seen += read
        before, self._seen = self._seen.split(text, 1)
        return before + text

    def sends_ctrl_c(self) -> None:
        self._terminal.send_signal(signal.SIGINT)

    def presses_ctrl_c(self) -> int:
        self.sends_ctrl_c()
        return self.leaves()

    def leaves(self) -> int:
        return self._terminal.wait()


@pytest.fixture
def sits_down(folder: Path) -> Iterator[Callable[..., Person]]:
    terminals: list[Terminal] = []

    def start(*options: str, term: str = "dumb") -> Person:
        arguments = ("chat", folder, *options)
        terminals.append(Terminal(*arguments, TERM=term, NO_COLOR="1", COLUMNS="200"))
        return Person(terminals[-1])

    yield start
    for terminal in terminals:
        terminal.close()


def test_in_a_terminal_one_is_told_how_to_leave_and_where_one_was(
    sits_down: Callable[..., Person],
) -> None:
    person = sits_down()
    person.waits_for("Talking to door. /help lists commands; /quit or Ctrl-D leaves.")
    person.waits_for("> ")
    person.types("hi\n")
    person.waits_for("What is your name?")
    person.waits_for("> ")
    person.types("\x04")
    assert person.leaves() == 0

    person = sits_down()
    person.waits_for("The conversation goes on from before; /reset begins anew.")
    person.waits_for("What is your name?")
    person.waits_for("> ")
    person.types("human\n")
    person.waits_for("A person has this conversation now")
    person.waits_for("> ")
    assert person.presses_ctrl_c() == 0

    person = sits_down()
    person.waits_for("A person has this conversation now")
    person.waits_for("> ")
    person.types("/nothing\n")
    person.waits_for("There is no command /nothing")
    person.types("/reset\n")
    person.waits_for("The conversation begins anew.")
    person.types("/quit\n")
    assert person.leaves() == 0


def test_the_arrow_brings_back_what_was_typed_but_no_secret_and_tab_completes(
    folder: Path, sits_down: Callable[..., Person]
) -> None:
    person = sits_down(term="xterm")
    person.waits_for("Talking to door")
    for line, answer in (("unlock", "Your pin?"), ("4711", "And your name?")):
        person.types(f"{line}\r")
        person.waits_for(answer)
    person.types("/in\t\r")
    person.waits_for("waiting for  slot name: And your name?")
    person.types("\x1b[A\r")
    person.waits_for("> unlock")
    person.waits_for("And your name?")
    person.types("\x04")
    assert person.leaves() == 0
    history = folder / ".soni" / "history.jsonl"
    assert history.stat().st_mode & 0o777 == 0o600
    assert [json.loads(line)["text"] for line in history.read_text().splitlines()] == ["unlock"]


def test_a_line_that_is_half_typed_is_dropped_by_ctrl_c_and_the_next_one_leaves(
    sits_down: Callable[..., Person],
) -> None:
    person = sits_down(term="xterm")
    person.waits_for("leaves.")
    person.waits_for(">")
    person.types("hi there")
    person.waits_for("hi there")
    person.types("\x03")
    person.types("\x03")
    assert person.leaves() == 0


def test_ctrl_c_while_something_is_done_says_what_it_waits_for(
    folder: Path, sits_down: Callable[..., Person]
) -> None:
    (folder / "actions.py").write_text(
        "import asyncio\nfrom soni import action\n\n"
        "@action\nasync def open_door(name, ctx):\n"
        "    ctx.say('One moment.')\n"
        "    await asyncio.sleep(20)\n"
    )
    person = sits_down()
    for line, answer in (("unlock", "Your pin?"), ("1234", "And your name?"), ("Ann", "One mom")):
        person.waits_for("> ")
        person.types(f"{line}\n")
        person.waits_for(answer)
    person.sends_ctrl_c()
    person.waits_for("What you said last is still being done; Ctrl-C again does not wait for it.")
    person.sends_ctrl_c()
    assert person.leaves() == 130


class Impatient:
    """Presses Ctrl-C while something is done, and again at once when told what it waits for."""

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)
        self.told: list[str] = []

    is_watched = True

    def read(self, runner: asyncio.Runner) -> str | None:
        return next(self._lines, None)

    def offer(self, commands: Iterable[str], options: Sequence[str]) -> None:
        """Nothing is completed."""

    def keep(self, line: str) -> None:
        """Nothing is remembered."""

    draft = keep

    def bot(self, text: str) -> None:
        if text == "One moment.":
            signal.raise_signal(signal.SIGINT)

    def view(self, text: object) -> None:
        raise AssertionError(text)

    fail = view

    def person(self, name: str, text: str) -> None:
        raise AssertionError(text)

    def note(self, text: str) -> None:
        self.told.append(text.strip())
        if "still being done" in text:
            signal.raise_signal(signal.SIGINT)

    error = view


def test_a_second_ctrl_c_just_as_it_is_said_what_is_waited_for_is_not_lost(folder: Path) -> None:
    (folder / "actions.py").write_text(
        "import asyncio\nfrom pathlib import Path\nfrom soni import action\n\n"
        "@action\nasync def open_door(name, ctx):\n"
        "    ctx.say('One moment.')\n"
        "    await asyncio.sleep(5)\n"
        "    Path(__file__).with_name('opened').touch()\n"
    )
    screen = Impatient("unlock", "1234", "Ann")
    with pytest.raises(KeyboardInterrupt):
        hold_conversation(SoniConfig.load(folder), "ann", screen, memory=True)
    assert "What you said last is still being done" in screen.told[-1]
    assert not (folder / "opened").exists()


class Attentive(Impatient):
    """Notes what could be completed."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.offers: list[list[str]] = []

    def offer(self, commands: Iterable[str], options: Sequence[str]) -> None:
        self.offers.append(list(options))


def test_yes_and_no_are_completed_at_a_question_without_buttons(folder: Path) -> None:
    screen = Attentive("bye")
    hold_conversation(SoniConfig.load(folder), "ann", screen, memory=True)
    assert ["Yes", "No"] in screen.offers

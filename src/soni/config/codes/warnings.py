"""W6: what works, and is probably not meant so."""

from soni.config.codes.code import Code

_FIND = """

            # actions.py
            from soni import action

            @action
            def find(city): return {"hotel": "Sol"}
            """

CODES = (
    Code(
        "W601",
        "a branch without else",
        "When no arm of a branch holds, the next step follows. That is often an arm that was "
        "meant for one case only.",
        "Add `else` as the last arm, even if it names the next step.",
        wrong="""
            slots:
              age: {type: integer, prompt: How old are you?}
            flows:
              buy:
                steps:
                  - collect: age
                  - branch:
                      - {condition: age < 18, then: sorry}
                  - {say: Here you are., jump_to: end}
                  - {step: sorry, say: Not yet.}
            """,
        right="""
            slots:
              age: {type: integer, prompt: How old are you?}
            flows:
              buy:
                steps:
                  - collect: age
                  - branch:
                      - {condition: age < 18, then: sorry}
                      - {else: sell}
                  - {step: sell, say: Here you are., jump_to: end}
                  - {step: sorry, say: Not yet.}
            """,
    ),
    Code(
        "W602",
        "a response that nothing says",
        "A sentence under `responses` is neither one that Soni says by itself nor named by a "
        "step. Perhaps the name of a built-in one is misspelt.",
        "Name it in a say step, correct its name, or remove it.",
        wrong="""
            responses:
              not_understod: Pardon?
            flows:
              greet:
                steps:
                  - say: Hello
            """,
        right="""
            responses:
              not_understood: Pardon?
            flows:
              greet:
                steps:
                  - say: Hello
            """,
    ),
    Code(
        "W603",
        "a slot that nothing uses",
        "A slot is declared, and no flow, text, expression or action reads or fills it.",
        "Ask for it in a flow, or remove it.",
        wrong="""
            slots:
              name: {prompt: Your name?}
              nickname: {prompt: What do friends call you?}
            flows:
              greet:
                steps:
                  - collect: name
            """,
        right="""
            slots:
              name: {prompt: Your name?}
            flows:
              greet:
                steps:
                  - collect: name
            """,
    ),
    Code(
        "W604",
        "it is not said whether an action may run again",
        "An action uses what the user said, and a question comes later, at which the user may "
        "correct it. If the action may run again, the correction counts; if not, it is too late "
        "for it. Soni takes the careful way: not again.",
        "Write `repeatable: true` (looking something up) or `repeatable: false` (paying) in the "
        "action's contract.",
        wrong="""
            flows:
              book:
                steps:
                  - {collect: city, message: Which city?}
                  - action: find
                  - confirm: "Book {hotel}?"
            """
        + _FIND,
        right="""
            actions:
              find: {outputs: [hotel], repeatable: true}
            flows:
              book:
                steps:
                  - {collect: city, message: Which city?}
                  - action: find
                  - confirm: "Book {hotel}?"
            """
        + _FIND,
    ),
    Code(
        "W605",
        "a loop that asks only once",
        "A collect step passes silently while its slot is filled. When a jump leads back to it, "
        "it is filled already: nothing is asked, and the loop goes round by itself.",
        "Ask again with `force: true`, or go round with `while`, which forgets what was "
        "collected in it.",
        wrong="""
            slots:
              age: {type: integer, prompt: How old are you?}
            flows:
              register:
                steps:
                  - {step: ask, collect: age}
                  - branch:
                      - {condition: age < 18, then: ask}
                      - {else: end}
            """,
        right="""
            slots:
              age: {type: integer, prompt: How old are you?}
            flows:
              register:
                steps:
                  - {step: ask, collect: age, force: true}
                  - branch:
                      - {condition: age < 18, then: ask}
                      - {else: end}
            """,
    ),
    Code(
        "W606",
        "a value that its slot does not take",
        "A file of `nlu/` says that a sentence means a value which its slot cannot hold: a choice "
        "that is not in the list, a number that is none. An understanding that is right can then "
        "hardly be found right.",
        "Write a value of the slot. If people say just that, and are to be asked again, leave it.",
        wrong="""
            said:
              idle:
                a coffee to go: StartFlow order; SetSlot size to go
            """,
        right="""
            said:
              idle:
                a large coffee to go: StartFlow order; SetSlot size large
            """,
        in_words=True,
    ),
)

"""E4: flows that cannot do what they say."""

from soni.config.codes.code import Code

_TRANSFER = """

            # actions.py
            from soni import action

            @action
            def transfer(amount): ...
            """

CODES = (
    Code(
        "E401",
        "an action that needs a yes can be reached without one",
        "`confirm: true` in an action's contract promises that it runs only after the user said "
        "yes. Some way leads to it past the confirm step: a jump, a guard that skips the confirm, "
        "an `on_no`, an `on_error`.",
        "Lead every way to the action through a confirm step's yes.",
        wrong="""
            slots:
              amount: {type: number, prompt: How much?}
            actions:
              transfer: {confirm: true, outputs: []}
            flows:
              send:
                steps:
                  - collect: amount
                  - {confirm: "Send {amount}?", when: amount > 100}
                  - action: transfer
            """
        + _TRANSFER,
        right="""
            slots:
              amount: {type: number, prompt: How much?}
            actions:
              transfer: {confirm: true, outputs: []}
            flows:
              send:
                steps:
                  - collect: amount
                  - confirm: "Send {amount}?"
                  - action: transfer
            """
        + _TRANSFER,
    ),
    Code(
        "E402",
        "a step that no way leads to",
        "The steps before it all go elsewhere, and no target names it, so it never runs.",
        "Name the step as a target where it is wanted, or remove it.",
        wrong="""
            flows:
              greet:
                steps:
                  - {say: Hello, jump_to: end}
                  - {step: goodbye, say: Bye}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {say: Hello, jump_to: goodbye}
                  - {step: goodbye, say: Bye}
            """,
    ),
    Code(
        "E403",
        "a loop that never waits",
        "Steps lead back to themselves, none of them can wait for the user, and none of them "
        "fills what would lead out of the loop. The turn would end with error `loop_detected`.",
        "Let a step of the loop ask something, or fill what its condition reads.",
        wrong="""
            flows:
              greet:
                steps:
                  - {step: hello, say: Hello}
                  - {say: Are you there?, jump_to: hello}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {step: hello, say: Hello}
                  - {confirm: Are you there?, on_no: hello}
            """,
    ),
    Code(
        "E404",
        "flows that call each other without end",
        "A flow calls itself, or another that calls it in turn: each call waits for the next, "
        "and none comes back.",
        "Go round with a `while` step, or let one of the flows end without calling the next.",
        wrong="""
            flows:
              order:
                trigger: {examples: [order a pizza]}
                steps:
                  - {collect: pizza, message: Which one?}
                  - call: more
              more:
                steps:
                  - call: order
            """,
        right="""
            flows:
              order:
                trigger: {examples: [order a pizza]}
                steps:
                  - {collect: pizza, message: Which one?}
                  - call: more
              more:
                steps:
                  - {collect: drink, message: And to drink?}
            """,
    ),
    Code(
        "E405",
        "a slot asked without a question",
        "A collect step asks for a slot, and neither the step nor the slot says how.",
        "Give the slot a prompt, or the step a message.",
        wrong="""
            slots:
              city: {}
            flows:
              weather:
                steps:
                  - collect: city
            """,
        right="""
            slots:
              city: {prompt: Which city?}
            flows:
              weather:
                steps:
                  - collect: city
            """,
    ),
    Code(
        "E406",
        "a sensitive output",
        "Outputs of a flow are kept after it, handed to other flows and shown to callers. A slot "
        "with `sensitive: true` promises the opposite.",
        "Remove it from the outputs.",
        wrong="""
            slots:
              pin: {prompt: Your PIN?, sensitive: true}
            flows:
              login:
                outputs: [pin]
                steps:
                  - collect: pin
            """,
        right="""
            slots:
              pin: {prompt: Your PIN?, sensitive: true}
            flows:
              login:
                steps:
                  - collect: pin
            """,
    ),
    Code(
        "E407",
        "an output that is never filled",
        "A flow promises an output, and no step of it ever fills it.",
        "Collect or set it in a step, or remove it from the outputs.",
        wrong="""
            slots:
              name: {prompt: Your name?}
              customer: {type: integer}
            flows:
              login:
                outputs: [customer]
                steps:
                  - collect: name
            """,
        right="""
            slots:
              name: {prompt: Your name?}
              customer: {type: integer, prompt: Your customer number?}
            flows:
              login:
                outputs: [customer]
                steps:
                  - collect: name
                  - collect: customer
            """,
    ),
    Code(
        "E408",
        "an input that nobody provides",
        "A flow needs an input. The user can start the flow without saying it, or a call step "
        "does not give it, and no step of the flow asks for it.",
        "Collect it in the flow, give it in the call, write `name?` if the flow can do without, "
        "or say where it comes from.",
        wrong="""
            flows:
              status:
                trigger: {examples: [where is my order]}
                inputs: [order]
                steps:
                  - say: "Order {order} is on its way."
            """,
        right="""
            flows:
              status:
                trigger: {examples: [where is my order]}
                inputs: [order]
                steps:
                  - {collect: order, message: Which order?}
                  - say: "Order {order} is on its way."
            """,
    ),
    Code(
        "E409",
        "an example of two flows",
        "The same words, apart from case and signs, are a trigger example of two flows. Nobody "
        "could say which one the user means.",
        "Keep the example in one of the two, or give both flows conditions that tell them apart.",
        wrong="""
            flows:
              open_account:
                trigger: {examples: [I want an account]}
                steps:
                  - say: Welcome!
              close_account:
                trigger: {examples: [close it, I want an account!]}
                steps:
                  - say: A pity.
            """,
        right="""
            flows:
              open_account:
                trigger: {examples: [I want an account]}
                steps:
                  - say: Welcome!
              close_account:
                trigger: {examples: [close it, I want no account]}
                steps:
                  - say: A pity.
            """,
    ),
)

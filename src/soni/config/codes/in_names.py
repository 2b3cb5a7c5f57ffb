"""E2: names that nothing has, or that nothing can have."""

from soni.config.codes.code import Code

CODES = (
    Code(
        "E201",
        "unknown step",
        "A target names a step that this flow does not have. Steps of other flows cannot be "
        "jumped to. A step without an id of its own is named after its type and what it is about.",
        "Name a step of this flow, or `end`, `error`, `continue`, `cancel_flow`.",
        wrong="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Your name?, on_skip: good_bye}
                  - {say: "Hello, {name}!", jump_to: end}
                  - {step: goodbye, say: Bye}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Your name?, on_skip: goodbye}
                  - {say: "Hello, {name}!", jump_to: end}
                  - {step: goodbye, say: Bye}
            """,
    ),
    Code(
        "E202",
        "unknown flow",
        "A setting, an input, a step or an entry of knowledge names a flow that is not under "
        "`flows`.",
        "Write the name of a flow as it stands under `flows`.",
        wrong="""
            flows:
              order:
                trigger: {examples: [order a pizza]}
                steps:
                  - call: adress
              address:
                steps:
                  - {collect: street, message: Which street?}
            """,
        right="""
            flows:
              order:
                trigger: {examples: [order a pizza]}
                steps:
                  - call: address
              address:
                steps:
                  - {collect: street, message: Which street?}
            """,
    ),
    Code(
        "E203",
        "unknown slot",
        "A collect step without a message asks with the slot's own prompt, and there is no such "
        "slot.",
        "Declare the slot with a prompt under `slots`, or give the step a message.",
        wrong="""
            slots:
              city: {prompt: Which city?}
            flows:
              weather:
                steps:
                  - collect: town
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
        "E204",
        "unknown name",
        "A text or an expression reads a name that no slot, no input and no step of the flow "
        "provides. A trigger's condition is read while no flow runs: it knows only `session` and "
        "slots with `scope: conversation`.",
        "Correct the name, declare it under `slots`, or fill it in a step.",
        wrong="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Your name?}
                  - say: "Hello, {nmae}!"
            """,
        right="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Your name?}
                  - say: "Hello, {name}!"
            """,
    ),
    Code(
        "E205",
        "unknown response",
        "A say step names a response that is neither under `responses` nor one of Soni's own.",
        "Write it under `responses`, or correct its name.",
        wrong="""
            responses:
              goodbye: See you soon!
            flows:
              leave:
                steps:
                  - {type: say, response: good_bye}
            """,
        right="""
            responses:
              goodbye: See you soon!
            flows:
              leave:
                steps:
                  - {type: say, response: goodbye}
            """,
    ),
    Code(
        "E207",
        "unknown output",
        "A flow lists an output that is neither a slot nor filled by one of its steps.",
        "Correct the name, or fill it in a step.",
        wrong="""
            flows:
              login:
                outputs: [user]
                steps:
                  - {collect: name, message: Your name?}
            """,
        right="""
            flows:
              login:
                outputs: [name]
                steps:
                  - {collect: name, message: Your name?}
            """,
    ),
    Code(
        "E208",
        "an output that the other flow does not have",
        "An input or a call step takes an output of another flow, and that flow does not list it.",
        "Name one of its outputs, or list the output there.",
        wrong="""
            flows:
              login:
                outputs: [name]
                steps:
                  - {collect: name, message: Your name?}
              greet:
                inputs: {user: {from: login.user}}
                steps:
                  - say: "Hello, {user}!"
            """,
        right="""
            flows:
              login:
                outputs: [name]
                steps:
                  - {collect: name, message: Your name?}
              greet:
                inputs: {user: {from: login.name}}
                steps:
                  - say: "Hello, {user}!"
            """,
    ),
    Code(
        "E209",
        "`from` does not name an output",
        "`from` of an input names a flow and one of its outputs, with a dot between them.",
        "Write `from: flow.output`.",
        wrong="""
            flows:
              login:
                outputs: [name]
                steps:
                  - {collect: name, message: Your name?}
              greet:
                inputs: {name: {from: login}}
                steps:
                  - say: "Hello, {name}!"
            """,
        right="""
            flows:
              login:
                outputs: [name]
                steps:
                  - {collect: name, message: Your name?}
              greet:
                inputs: {name: {from: login.name}}
                steps:
                  - say: "Hello, {name}!"
            """,
    ),
    Code(
        "E210",
        "a word that cannot be a name",
        "Names are used in texts, expressions and commands, so they have only letters a to z, "
        "digits and `_`. Names that begin with `_` belong to Soni; step ids may have `-` too.",
        "Rename it; what people read belongs into `description`.",
        wrong="""
            flows:
              send-money:
                steps:
                  - say: Not yet
            """,
        right="""
            flows:
              send_money:
                steps:
                  - say: Not yet
            """,
    ),
    Code(
        "E211",
        "a word that means something else",
        "A slot is named like a word of expressions, such as `and`, `true` or `session`, or a "
        "step like a target, such as `end`. Nobody could tell which one is meant.",
        "Choose another name.",
        wrong="""
            flows:
              greet:
                steps:
                  - {say: Hello, jump_to: end}
                  - {step: end, say: Bye}
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
        "E212",
        "a step id used twice",
        "Two steps of one flow have the same id, so that a target could mean either.",
        "Give each step of a flow its own id, or none.",
        wrong="""
            flows:
              greet:
                steps:
                  - {step: hello, say: Hello}
                  - {step: hello, say: How are you?}
            """,
        right="""
            flows:
              greet:
                steps:
                  - {step: hello, say: Hello}
                  - {step: how, say: How are you?}
            """,
    ),
    Code(
        "E213",
        "no fallback flow",
        "`on_no_progress: fallback` starts the fallback flow, and none is named.",
        "Name one with `fallback_flow`.",
        wrong="""
            settings:
              conversation: {on_no_progress: fallback}
            flows:
              help:
                steps:
                  - say: Please call us.
            """,
        right="""
            settings:
              conversation: {on_no_progress: fallback, fallback_flow: help}
            flows:
              help:
                steps:
                  - say: Please call us.
            """,
    ),
    Code(
        "E214",
        "an input that the called flow does not take",
        "A call step gives an input that the other flow does not list.",
        "Name one of its inputs, or list the input there.",
        wrong="""
            flows:
              order:
                trigger: {examples: [order a pizza]}
                steps:
                  - {call: pay, inputs: {sum: 12}}
              pay:
                inputs: [amount]
                steps:
                  - {collect: amount, message: How much?}
            """,
        right="""
            flows:
              order:
                trigger: {examples: [order a pizza]}
                steps:
                  - {call: pay, inputs: {amount: 12}}
              pay:
                inputs: [amount]
                steps:
                  - {collect: amount, message: How much?}
            """,
    ),
)

"""E3: texts, expressions and values that cannot be read."""

from soni.config.codes.code import Code

CODES = (
    Code(
        "E301",
        "a text whose braces cannot be read",
        "Braces in a text hold a name: {name}, {flight.price} or {price | upper}.",
        "Write a name between the braces, and {{ or }} for a brace itself.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: "Hello {your name}!"
            """,
        right="""
            flows:
              greet:
                steps:
                  - {collect: your_name, message: Your name?}
                  - say: "Hello {your_name}!"
            """,
    ),
    Code(
        "E302",
        "an expression that cannot be read",
        "Conditions and {{ }} have comparison, and, or, not, in, arithmetic, lists and the listed "
        "functions, and nothing else.",
        "Write it as the message says, or compute it in an action.",
        wrong="""
            slots:
              age: {type: integer, prompt: How old are you?}
            flows:
              buy:
                steps:
                  - collect: age
                  - {say: Sorry, when: age = 17}
            """,
        right="""
            slots:
              age: {type: integer, prompt: How old are you?}
            flows:
              buy:
                steps:
                  - collect: age
                  - {say: Sorry, when: age == 17}
            """,
    ),
    Code(
        "E303",
        "unknown filter",
        "A text shows a value through a filter that does not exist.",
        "Take one of the available filters, or none.",
        wrong="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Your name?}
                  - say: "Hello, {name | capital}!"
            """,
        right="""
            flows:
              greet:
                steps:
                  - {collect: name, message: Your name?}
                  - say: "Hello, {name | title}!"
            """,
    ),
    Code(
        "E310",
        "a choice without values",
        "A slot of type choice has nothing to choose from.",
        "List its values.",
        wrong="""
            slots:
              size: {type: choice, prompt: Which size?}
            flows:
              order:
                steps:
                  - collect: size
            """,
        right="""
            slots:
              size: {type: choice, values: [small, large], prompt: Which size?}
            flows:
              order:
                steps:
                  - collect: size
            """,
    ),
    Code(
        "E311",
        "values of a slot that is no choice",
        "Only a choice has values; another type would ignore them.",
        "Write `type: choice`, or remove the values.",
        wrong="""
            slots:
              size: {values: [small, large], prompt: Which size?}
            flows:
              order:
                steps:
                  - collect: size
            """,
        right="""
            slots:
              size: {type: choice, values: [small, large], prompt: Which size?}
            flows:
              order:
                steps:
                  - collect: size
            """,
    ),
    Code(
        "E312",
        "a default that does not fit",
        "The default of a slot is not a value that the slot would take from a user.",
        "Give a default of the slot's type; of a choice, one of its values.",
        wrong="""
            slots:
              people: {type: integer, prompt: For how many?, required: false, default: some}
            flows:
              book:
                steps:
                  - collect: people
            """,
        right="""
            slots:
              people: {type: integer, prompt: For how many?, required: false, default: 2}
            flows:
              book:
                steps:
                  - collect: people
            """,
    ),
    Code(
        "E313",
        "a slot type that cannot refuse",
        "A value that does not fit is refused in words. A slot type of a plugin brings the "
        "sentence, or the assistant has it; here it is in neither.",
        "Write `invalid_<type>` under `responses`, or in `responses` of the type itself.",
        wrong="""
            slots:
              discount: {type: percent, prompt: How much?}
            """,
        right="""
            responses:
              invalid_percent: Please give a percentage, such as 20 %.
            slots:
              discount: {type: percent, prompt: How much?}
            """,
        in_words=True,
    ),
    Code(
        "E320",
        "a sentence that may not be rephrased",
        "`rephrase` has a language model put a sentence into other words. A question whose answer "
        "carries something out has to say what the author wrote, and so has a label.",
        "Remove `rephrase`. Several wordings of your own are possible: a list of variations.",
        wrong="""
            responses:
              cancel_confirm: {text: "Shall I give up {flow}?", rephrase: true}
            flows:
              greet:
                steps:
                  - say: Hello!
            """,
        right="""
            responses:
              cancel_confirm: ["Shall I give up {flow}?", "Do you want to stop {flow}?"]
            flows:
              greet:
                steps:
                  - say: Hello!
            """,
    ),
)

"""E5: actions, and the Python behind them."""

from soni.config.codes.code import Code

_PAY = """

            # actions.py
            from soni import action

            @action
            def pay(amount): ...
            """

CODES = (
    Code(
        "E501",
        "unknown action",
        "A step, a contract or a setting names an action that no function is marked as.",
        "Mark a function of that name with @action in actions.py, or correct the name.",
        wrong="""
            flows:
              buy:
                steps:
                  - {action: pey, inputs: {amount: 3}}
            """
        + _PAY,
        right="""
            flows:
              buy:
                steps:
                  - {action: pay, inputs: {amount: 3}}
            """
        + _PAY,
    ),
    Code(
        "E502",
        "unknown validator or normalizer",
        "A slot names a function that is not marked as such.",
        "Mark a function of that name with @validator or @normalizer in actions.py.",
        wrong="""
            slots:
              age: {type: integer, prompt: How old?, validator: adult}
            flows:
              buy:
                steps:
                  - collect: age

            # actions.py
            def adult(age): return age > 17
            """,
        right="""
            slots:
              age: {type: integer, prompt: How old?, validator: adult}
            flows:
              buy:
                steps:
                  - collect: age

            # actions.py
            from soni import validator

            @validator
            def adult(age): return age > 17
            """,
    ),
    Code(
        "E503",
        "an input that the function does not take",
        "An action's contract lists an input that its function has no parameter for.",
        "Remove it from the contract, or add the parameter to the function.",
        wrong="""
            actions:
              pay: {inputs: [amount, currency]}
            slots:
              amount: {type: number, prompt: How much?}
              currency: {prompt: Which currency?}
            flows:
              buy:
                steps:
                  - collect: amount
                  - collect: currency
                  - action: pay
            """
        + _PAY,
        right="""
            actions:
              pay: {inputs: [amount]}
            slots:
              amount: {type: number, prompt: How much?}
            flows:
              buy:
                steps:
                  - collect: amount
                  - action: pay
            """
        + _PAY,
    ),
    Code(
        "E504",
        "a parameter that the contract leaves out",
        "The function cannot be called without a parameter that is not among the contract's "
        "inputs, and that not all steps give.",
        "Add it to the inputs, or give the parameter a default.",
        wrong="""
            actions:
              pay: {inputs: []}
            flows:
              buy:
                steps:
                  - action: pay
            """
        + _PAY,
        right="""
            actions:
              pay: {inputs: [amount]}
            slots:
              amount: {type: number, prompt: How much?}
            flows:
              buy:
                steps:
                  - action: pay
            """
        + _PAY,
    ),
    Code(
        "E505",
        "a step gives what the action does not take",
        "`inputs` of a step names something that neither the contract nor the function knows.",
        "Correct the name, remove it, or add the parameter to the function.",
        wrong="""
            flows:
              buy:
                steps:
                  - {action: pay, inputs: {amount: 3, currency: EUR}}
            """
        + _PAY,
        right="""
            flows:
              buy:
                steps:
                  - {action: pay, inputs: {amount: 3}}
            """
        + _PAY,
    ),
    Code(
        "E506",
        "an action that nothing feeds",
        "An action needs an input that is neither a slot nor filled by another step of the flow.",
        "Collect it, declare it under `slots` with a prompt, or give it in `inputs`.",
        wrong="""
            flows:
              buy:
                steps:
                  - action: pay
            """
        + _PAY,
        right="""
            flows:
              buy:
                steps:
                  - {collect: amount, message: How much?}
                  - action: pay
            """
        + _PAY,
    ),
    Code(
        "E507",
        "unknown output of an action",
        "`map_outputs` renames an output that the action's contract does not list.",
        "Name one of its outputs, or list the output in the contract.",
        wrong="""
            actions:
              pay: {outputs: [receipt]}
            flows:
              buy:
                steps:
                  - {action: pay, inputs: {amount: 3}, map_outputs: {reciept: proof}}
            """
        + _PAY,
        right="""
            actions:
              pay: {outputs: [receipt]}
            flows:
              buy:
                steps:
                  - {action: pay, inputs: {amount: 3}, map_outputs: {receipt: proof}}
            """
        + _PAY,
    ),
    Code(
        "E511",
        "Python that cannot be imported",
        "actions.py, or a module of actions/, raised an error when it was imported. Until it is "
        "corrected, nothing is said about actions, validators and normalizers.",
        "Correct the line that is shown.",
        wrong="""
            flows:
              greet:
                steps:
                  - say: Hello

            # actions.py
            import requets
            """,
        right="""
            flows:
              greet:
                steps:
                  - say: Hello

            # actions.py
            import json
            """,
    ),
    Code(
        "E512",
        "no one place for Python",
        "The functions of an assistant are in actions.py, or in a package actions/ with an "
        "__init__.py. Here is both, or a folder without one.",
        "Keep one of the two; add an empty __init__.py to a folder.",
        wrong="actions.py and actions/__init__.py",
        right="actions/__init__.py and actions/payments.py",
        in_words=True,
    ),
)

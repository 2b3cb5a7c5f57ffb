"""What goes wrong with an expression, when it is read or when it is evaluated."""

from soni.core.notation import NotationError


class ExpressionError(NotationError):
    """An expression that cannot be read or evaluated.

    The reason never quotes a value, since values come from users.
    """

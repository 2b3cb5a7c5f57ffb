"""Yes and no in Spanish, in more words than one."""

import re
from typing import Final

from soni.du.local.spanish.stems import fold

_FIRST: Final = (
    r"(?:(?:pues|bueno|vale|ok|claro|hombre|mira|oye|uf|ah|eh|yo|a mi|creo|diria|supongo|espero|"
    r"parece|pienso|imagino|la verdad|de momento|por ahora|en principio|esta vez|hoy|ahora|"
    r"que|me|gracias a dios|por suerte|afortunadamente|prefiero|mejor|es) )*"
)
_LAST: Final = (
    r"(?: (?:por favor|porfa|gracias|muchas|si|claro|venga|hombre|adelante|perfecto|todo|asi|vale|"
    r"la verdad|de momento|por ahora|creo|ya|muy|a todo|hoy))*"
)
_FINE: Final = (
    r"(?:bien|perfecto|correcto|genial|estupendo|fenomenal|ok|fantastico|en orden|perfecta)"
)
_YES: Final = re.compile(
    rf"{_FIRST}(?:si|asi es|eso es|exacto|exactamente|correcto|efectivamente|de acuerdo|adelante|"
    rf"por supuesto|desde luego|como no|ya lo creo|dale|venga|perfecto|"
    rf"(?:me |nos )?(?:parece|viene|va|esta|queda|suena)(?: todo| muy)* {_FINE}|"
    rf"todo (?:esta )?{_FINE}|(?:si |adelante )?(?:reserv|confirm|mand|apunt|tramit|envi|proced|"
    rf"hag|"
    rf"haz|anot|registr|program)(?:al[oa]s?|a|el[oa]s?|ad|adl[oa]|o|ame|l[oa]|e)){_LAST}"
)
_NO: Final = re.compile(
    rf"{_FIRST}(?:no(?: no)*|para nada|en absoluto|todavia no|aun no|ni (?:hablar|de broma|"
    rf"se te ocurra|loc[oa]|"
    rf"pensarlo|en suenos)|de (?:ninguna manera|eso nada)|no (?:me|l[oa]) (?:convence|parece|"
    rf"mandes|"
    rf"confirmes|hagas|envies|reserves|tramites)(?: bien)?|"
    rf"(?:eso |esto |asi )?(?:esta|es) (?:mal|incorrecto)|no (?:esta|es) (?:bien|correcto|"
    rf"asi)){_LAST}"
)


def agrees(message: str) -> bool | None:
    """True for a yes, False for a no, None for anything else."""
    said = fold(message)
    if _NO.fullmatch(said):
        return False
    return True if _YES.fullmatch(said) else None

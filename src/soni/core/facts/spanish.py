"""Spanish: words that state something, and words that a sentence may begin with."""
# ruff: noqa: SIM905 - a list of words reads best as words

from typing import Final

NUMBERS: Final = frozenset(
    """
    cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve veinte veintiuno veintiuna veintiún veintidós veintitrés
    veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta cuarenta
    cincuenta sesenta setenta ochenta noventa cien ciento cientos doscientos doscientas trescientos
    trescientas cuatrocientos cuatrocientas quinientos quinientas seiscientos seiscientas
    setecientos setecientas ochocientos ochocientas novecientos novecientas mil miles millón
    millones docena docenas par primero primera segundo segunda tercero tercera tercer cuarto cuarta
    quinto quinta sexto sexta séptimo séptima octavo octava noveno novena décimo décima doble triple
    medio media mitad
    """.split()
)
ONES: Final = frozenset({"uno", "una", "un"})

TIMES: Final = frozenset(
    """
    enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre
    diciembre lunes martes miércoles jueves viernes sábado sábados domingo domingos laborable
    laborables hoy mañana ayer anteayer mediodía medianoche tarde noche noches madrugada
    diario diaria diariamente semanal mensual anual
    """.split()
)

UNITS: Final = frozenset(
    """
    segundos minuto minutos hora horas día días semana semanas mes meses año años
    ciento céntimo céntimos euro euros dólar dólares libra libras franco francos peso pesos
    usd eur gbp chf jpy
    kg kilo kilos kilogramo kilogramos gramo gramos tonelada toneladas km kilómetro kilómetros metro
    metros milla millas cm mm litro litros ml grado grados
    """.split()
)

LIMITS: Final = frozenset(
    """
    solo sólo solamente únicamente mínimo máximo menos más antes después hasta desde dentro entre
    gratis gratuito gratuita siempre cada extra adicional debe debes obligatorio obligatoria
    opcional permitido permitida prohibido prohibida excepto salvo incluido incluida incluidos
    incluidas varios varias
    """.split()
)

OUTCOMES: Final = frozenset(
    """
    confirmado confirmada cancelado cancelada reservado reservada fallado rechazado rechazada
    aceptado aceptada aprobado aprobada denegado denegada pagado pagada devuelto devuelta cobrado
    cobrada enviado enviada recibido recibida entregado entregada cambiado cambiada guardado
    guardada borrado borrada eliminado eliminada añadido añadida cerrado cerrada abierto abierta
    bloqueado bloqueada desbloqueado desbloqueada activado activada desactivado desactivada
    disponible válido válida inválido inválida caducado caducada perdido perdida encontrado
    encontrada robado robada posible imposible
    """.split()
)

NEGATIONS: Final = frozenset(
    """
    no nunca jamás nada nadie ningún ninguno ninguna tampoco sin ni apenas
    """.split()
)

# A clause with one of them says something of somebody.
AUXILIARIES: Final = frozenset(
    """
    es son soy eres somos era eran fue fueron ser está están estoy estás estamos estaba estaban ha
    han he has hemos había habían hay puede pueden puedo puedes podemos podrá podrán debe deben
    tiene tienen tengo tienes tenemos se
    """.split()
)

# Words that say nothing by themselves.
FILLERS: Final = frozenset(
    """
    el la los las un una unos unas lo le les me te nos os su sus mi mis tu tus nuestro nuestra
    nuestros nuestras de del a al en con por para como que qué quién cuál muy ya aún todavía
    también esto eso este esta estos estas ese esa esos esas aquí ahí yo tú él ella ellos ellas
    usted ustedes nosotros favor gracias sí vaya siento perdón perdona disculpa vale bueno bien
    lamentablemente hola ahora
    """.split()
)

# Between two clauses, or what may be two.
JOINTS: Final = frozenset("y e o u ni si cuando porque sin".split())
TURNS: Final = frozenset("pero sino aunque mientras".split())

OPENERS: Final = frozenset(
    """
    a además adelante adiós afortunadamente ah ahora ahí al algo alguien alguna alguno algunos
    antes anotado apuntado aquel aquella aquí así atención aunque avísame avísanos ay bien
    bienvenida bienvenido buen buena buenas bueno buenos busca buscas cada casi claro como
    comprueba con confirma consulta contacta continúa continuamos correcto creo cuál cuáles
    cuando cuándo cuánta cuántas cuánto cuántos cuenta cuentas cuéntame cuéntanos cómo da dame
    de debe debes deja déjame del deme desde desea deseas desgraciadamente después di dígame
    dime dinero dinos disculpa disculpe dispones dónde durante e el él elige elija ella ellas
    ellos empecemos empezamos en encantada encantado enhorabuena entendido entonces entre envía
    envíame era eres es esa esas escoge escriba escribe escríbeme escríbenos ese eso esos espera
    esperamos espero esta está estamos están estas estás este esto estos estoy estupendo exacto
    excelente falta faltan felicidades fenomenal fue genial gracias gustaría ha haber había han
    has hasta hay haz hazme he hecho hemos hola hoy indica indícame indique indíqueme intenta
    inténtalo introduce introduzca ir la lamentablemente lamento las le les listo llama llámame
    llámanos lo los luego maravilloso mañana más me media mejor menos mi mientras mira mis mucha
    muchas mucho muchos muy nada necesita necesitamos necesitas necesito ningún ninguna ninguno
    no nos nosotros nuestra nuestras nuestro nuestros nunca o ofrecemos oh ojalá os otra otras
    otro otros para parece perdón perdona perdone perfecta perfecto permíteme pero por porque
    posible primero proporciona prueba puede pueden puedes puedo podemos podrá podrás podría
    podrías pues qué queda quedan quién quiénes quiera quieras quiere quieres quisiera quizá
    quizás recibe recibirás recibido recuerda repite repítelo responde sabe sabes se segundo
    seguimos según selecciona sería será serás si sí sido siempre siento sigamos sin sobre solo
    sólo son soy su super sus tal también tampoco tan te tendrás tenemos tengo tenga ten tiene
    tienen tienes toda todas todavía todo todos toma tu tú tus u uf un una unas uno unos ups
    usted ustedes vale vamos vaya veamos veo visita volvamos volvemos volver vosotros vuelve y
    ya yo
    """.split()
)

"""What Spanish words are in English, for assistants whose author wrote in English."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from soni.du.local.spanish.stems import stem
from soni.du.local.words.words import content
from soni.language import find_language

# Words of services of all kinds; the first of a line in Spanish, the others in English.
_TEXT: Final = """
abono:subscription,pass abrir:open aceite:oil accidente:accident activar:activate
adelantar:advance,earlier administrador:administrator aeropuerto:airport agenda:calendar
agua:water alojamiento:accommodation alquilar:rent,hire alta:register,activate,join
ampliar:extend,upgrade amigo:friend anular:cancel anotar:note apartamento:apartment,flat
aparcar:park aplazar:postpone,move apellido:surname,last arreglar:repair,fix
asegurar:insure,insurance asiento:seat atencion:service,support averia:fault,breakdown,repair
avion:plane,flight aviso:notice,report,alert ayuda:help baja:leave,sick,unsubscribe,cancel
banco:bank barato:cheap bebe:baby bicicleta:bike billete:ticket bloquear:block,freeze,lock
boda:wedding boleto:ticket bolsa:bag bono:voucher,bonus buscar:find,search,look
caducar:expire caja:pack,box cajero:atm,cash calefaccion:heating calle:street cama:bed
cambiar:change,exchange,swap,move camion:truck,lorry cancelar:cancel cantidad:amount,quantity
caro:expensive carro:car carta:letter,menu casa:home,house cena:dinner cerrar:close
certificado:certificate charlar:chat cheque:check cine:cinema,movie cita:appointment,date
ciudad:city cliente:customer,client coche:car codigo:code colegio:school comer:eat
comida:food,meal,lunch compañia:company comprar:buy,purchase,order comprobar:check,verify
conductor:driver conectar:connect conexion:connection consultar:check,consult
contador:meter contratar:hire,contract,subscribe contrato:contract contraseña:password
copia:copy correo:email,mail,post corriente:current cortar:cut,cutoff coste:cost crear:create
credito:credit cuenta:account,bill cuota:fee,installment curso:course dato:data debito:debit
deber:owe declarar:declare,report demora:delay dentista:dentist departamento:department
desayuno:breakfast desbloquear:unblock,unlock descuento:discount destino:destination
desplazar:move devolver:return,refund devolucion:return,refund dinero:money
direccion:address disco:disk doctor:doctor documento:document dolor:pain domicilio:address,home
duplicado:duplicate,replacement edad:age electricidad:electricity,power empezar:start
empleado:employee empresa:company encargo:order enfermedad:illness,sickness enfermo:ill,sick
enfermera:nurse entrada:ticket,entrance entrega:delivery entregar:deliver envase:package
envio:shipment,delivery,parcel enviar:send,ship equipaje:luggage,baggage equipo:team,equipment
error:error,mistake escuela:school estado:status,state estropear:break,broken
extracto:statement extraviar:lose,lost factura:invoice,bill farmacia:pharmacy fecha:date
fibra:fiber,internet firma:signature formulario:form foto:photo fuga:leak funcionar:work
gasto:expense,cost gastar:spend gestor:manager,adviser girar:transfer,wire grifo:tap
grua:tow,truck guardar:save,keep habitacion:room hermana:sister hermano:brother hijo:son,child
hija:daughter,child historial:history hora:time,hour hospital:hospital hotel:hotel
hueco:slot,free huesped:guest impresora:printer impuesto:tax incidencia:incident,issue,problem
informar:report,inform ingresar:deposit ingreso:deposit,income instalar:install
internet:internet invitado:guest jefe:boss,manager jubilacion:retirement lavar:wash
lectura:reading lente:glasses,lens libre:free libro:book licencia:license limite:limit
limpiar:clean linea:line llamar:call llave:key llegar:arrive,arrival lugar:place luz:light,power
maleta:suitcase,luggage,bag mandar:send mañana:morning,tomorrow maquina:machine marido:husband
matricula:plate,registration medicamento:medicine,medication medicina:medicine medico:doctor
mensaje:message mensual:monthly menu:menu mesa:table moto:motorbike motivo:reason
mover:move movil:mobile,phone,cell movimiento:transaction,movement mudar:move
mujer:wife,woman multa:fine negocio:business niño:child,kid nombre:name nomina:payroll,salary
nota:note noticia:news novedad:news noviembre:november nuevo:new numero:number oferta:offer
oficina:office olvidar:forget,forgot ordenador:computer pagar:pay,payment pago:payment,pay
pais:country pantalla:screen,display paquete:parcel,package,pack parar:stop parking:parking
parte:report,claim pasajero:passenger pasaporte:passport pastilla:pill,tablet paciente:patient
pedir:order,book,request,ask pedido:order pelicula:movie,film pelo:hair peluqueria:hairdresser
perder:lose,lost permiso:leave,permit persona:person,people peso:weight piso:flat,apartment,floor
pista:court,track plan:plan planta:floor plato:dish plazo:term,deadline poliza:policy
portatil:laptop potencia:power precio:price,cost prescribir:prescribe prestamo:loan
presupuesto:quote,budget,estimate problema:problem,issue producto:product programar:schedule
proveedor:supplier,provider queja:complaint quejar:complain rapido:fast,quick
recargar:recharge,top receta:prescription,recipe recibir:receive recibo:receipt,bill
reclamar:claim,complain reclamacion:complaint,claim recoger:collect,pick,pickup recordar:remind
recordatorio:reminder red:network reembolsar:refund reembolso:refund registrar:register
regalo:gift,present renovar:renew reparar:repair,fix repartidor:courier,driver
repetir:repeat reponer:replace,refill reprogramar:reschedule,move reservar:book,reserve
reserva:booking,reservation,book restaurante:restaurant retirar:withdraw retrasar:delay,postpone
retraso:delay revision:check,review,inspection robar:steal,stolen robo:theft,stolen
romper:break,broken ropa:clothes saldo:balance salida:departure,exit salir:leave
seguimiento:tracking,track seguir:follow,track seguro:insurance sesion:session
siniestro:claim,accident sitio:place,seat solicitar:request,apply solicitud:request,application
sucursal:branch sueldo:salary,pay tabla:table talla:size taller:garage,workshop tamaño:size
tarifa:rate,plan,tariff tarjeta:card taxi:taxi,cab tecnico:technician,engineer telefono:phone
temporada:season terraza:terrace tienda:shop,store tirar:throw tipo:kind,type titular:holder
traer:bring traje:suit transferir:transfer transferencia:transfer trabajo:work,job
tramitar:process traslado:transfer,move tren:train turno:shift,turn,appointment
ubicacion:location urgente:urgent urgencia:emergency vacaciones:holiday,vacation,leave
vacuna:vaccine,vaccination vale:voucher valor:value vehiculo:vehicle,car vender:sell
ventana:window viaje:trip,travel viajar:travel viajero:traveller,passenger visita:visit
vivienda:home,house,property vivir:live volar:fly volver:return,back vuelo:flight
vuelta:return,back wifi:wifi,internet zapato:shoe
"""


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for entry in _TEXT.split():
        word, _, meanings = entry.partition(":")
        root = stem(word.replace("ñ", "n"))
        found[root] = found.get(root, frozenset()) | content(
            meanings.replace(",", " "), find_language("es")
        )
    return MappingProxyType(found)


def in_english(root: str) -> frozenset[str]:
    """The English words for a stem; none if it is not known."""
    return _entries().get(root, frozenset())

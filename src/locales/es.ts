import type { Messages } from './messages.ts'
import { plural } from './plural.ts'

const count = plural('es')

export const language: string = 'es'

export const common: Messages['common'] = {
  tryAgain: 'Intentar de nuevo',
  trying: 'Intentando…',
  stillUnavailable: 'Sigue sin estar disponible.',
  upToDate: 'Actualizado de nuevo.',
  more: (number) => count(number, { other: 'Y # más.' }),
  stale: 'Puede que esto no esté al día. No se pudo cargar la última versión.',
  loading: 'Cargando…',
  forbidden: 'Este expediente no está disponible para usted.',
  missing: 'Este expediente no existe.',
  signedOut: 'Su sesión ha terminado. Inicie sesión y vuelva a esta página.',
  isSignedOut: 'Su sesión ha terminado.',
  signIn: 'Iniciar sesión',
  unavailable: 'No se pudo cargar.',
  noProxy: (endpoint) => `No se encontró ningún proxy de Routeslip en ${endpoint}.`,
  leftOut: (number) =>
    count(number, { one: 'No se pudo leer # entrada.', other: 'No se pudieron leer # entradas.' }),
  someone: 'Alguien',
  close: 'Cerrar',
  permissions: {
    SIGNATURE_REQUIRED: 'debe firmar',
    SIGNATURE_PERMITTED: 'puede firmar',
    VIEW_AND_EDIT: 'puede editar',
    VIEW_ONLY: 'puede ver',
  },
  notConfigured: (tag, missing) => `<${tag}> necesita ${missing} para mostrar algo.`,
  foreignEndpoint: (tag, origin) =>
    `<${tag}> no puede usar un proxy en ${origin}. Añádalo a "origins" con configure() o en el script de configuración de la página.`,
}

export const packageStatus: Messages['packageStatus'] = {
  label: 'Estado',
  states: {
    PRE_ROUTING: 'Fuera de trámite',
    DRAFT: 'Borrador',
    ROUTING: 'En trámite',
    COMPLETE: 'Completado',
    VOID: 'Anulado',
  },
  stateChanged: (state) => `El expediente está ahora: ${state}.`,
  waitingFor: 'A la espera de',
  waitingUnknown: 'No se pudo cargar quién lo tiene ahora.',
  mustSubmit: 'debe presentarlo',
  mustResubmit: 'debe corregirlo y presentarlo de nuevo',
  returnedBy: 'Devuelto por',
  returned: 'Devuelto. Último comentario de',
  removedBy: 'Retirado por',
  editElsewhere: 'Edítelo y preséntelo en la página donde lo rellenó.',
  nobody: 'nadie',
  release: (stop) => `que se libere «${stop}»`,
  held: 'Una aplicación conectada al formulario retiene el trámite en esta etapa. Si tarda, pregunte a los responsables del formulario.',
  lacksDocument: (number) =>
    count(number, {
      one: 'Documento obligatorio. Debe subirlo quien inició el expediente o un aprobador.',
      other: 'Documentos obligatorios. Debe subirlos quien inició el expediente o un aprobador.',
    }),
  unknownReason:
    'No está en ninguna bandeja y aquí no se conoce el motivo. Pregunte a los responsables del formulario.',
  initiator: 'Iniciado por',
  routingDate: 'Inicio',
  actionDate: 'Última acción',
  details: 'Detalles',
  voidReason: 'Motivo',
  voidReasons: {
    DUPLICATE_TRANSACTION: 'Trámite duplicado',
    INCORRECT_FORM: 'Formulario incorrecto',
    TRANSACTION_CANCELLED: 'Trámite cancelado',
    TRANSACTION_DENIED: 'Trámite denegado',
  },
  since: 'desde el',
  comments: (number) => count(number, { one: '# comentario', other: '# comentarios' }),
  attachments: (number) => count(number, { one: '# adjunto', other: '# adjuntos' }),
  test: 'Prueba',
  onFile: 'Contiene',
  testHint: 'Este expediente está en el entorno de prueba.',
  notAvailable: 'No disponible',
  notLoaded: 'Sin cargar',
  sign: 'Firmar',
  edit: 'Editar',
  editAndSubmit: 'Editar y presentar',
  actions: 'Acciones',
  actionsFailed: 'No se pudo abrir esta acción.',
  restarted: 'El trámite se ha reiniciado.',
  getPdf: 'Descargar PDF',
  routePackage: 'Iniciar el trámite',
  reinitiatePackage: 'Reanudar el trámite',
  returnPackage: 'Devolver a una persona',
  returnToInitiator: 'Devolver al iniciador',
  restartPackage: 'Reiniciar el trámite',
  unvoidPackage: 'Revertir la anulación',
  removePackage: 'Retirar del trámite',
  voidPackage: 'Anular',
}

export const packageActions: Messages['packageActions'] = {
  titles: {
    routePackage: '¿Iniciar el trámite de este expediente?',
    reinitiatePackage: '¿Reanudar el trámite de este expediente?',
    returnPackage: '¿Devolver este expediente a una persona?',
    returnToInitiator: '¿Devolver este expediente a quien lo inició?',
    restartPackage: '¿Reiniciar el trámite?',
    unvoidPackage: '¿Revertir la anulación de este expediente?',
    removePackage: '¿Retirar este expediente del trámite?',
    voidPackage: '¿Anular este expediente?',
    getPdf: '¿Descargar este expediente en PDF?',
  },
  consequences: {
    routePackage: 'Comienza el trámite. Los primeros aprobadores lo recibirán en su bandeja.',
    reinitiatePackage:
      'El trámite vuelve a empezar desde la primera etapa y así consta en el historial. Solo es posible si el expediente se retiró del trámite. Si nunca estuvo en trámite, inícielo.',
    returnPackage:
      'Pasa a la bandeja de una persona más, al final del recorrido. Cuando firme, volverá a estar completado.',
    returnToInitiator:
      'Pasa a ser un borrador y sale de todas las bandejas. Quien lo inició tiene que presentarlo de nuevo, y todos los aprobadores tienen que volver a firmar.',
    restartPackage:
      'El trámite vuelve a empezar desde la primera etapa. Todos los aprobadores tienen que volver a firmar.',
    unvoidPackage: 'Vuelve al estado que tenía antes de que se anulara.',
    removePackage:
      'Sale de todas las bandejas y del historial. No se borra: quien tenga permiso lo seguirá encontrando.',
    voidPackage: 'El trámite termina ahora. Sale de todas las bandejas y nadie podrá firmarlo.',
    getPdf: 'El PDF contiene el formulario presentado. Elija qué más incluir.',
  },
  voidQuestion: '¿Por qué quiere anularlo?',
  voidReasonMissing: 'Elija un motivo.',
  univid: 'Identificador universitario de la persona',
  unividMissing: 'Escriba un identificador universitario de hasta 12 cifras.',
  comment: 'Comentario',
  commentHint: 'Quien lo inició lo recibe por correo. También aparece con el expediente.',
  commentMissing: 'Escriba qué debe hacer quien lo inició.',
  includeRouting: 'Incluir el historial del trámite',
  mergeAttachments: 'Incluir los adjuntos',
  leftOut: 'No se incluyen, porque no son PDF:',
  leftOutUnknown: 'Solo se incluyen los adjuntos en PDF. No se pudo cargar la lista de los demás.',
  cancel: 'Cancelar',
  keep: 'Conservarlo',
  busy: 'Un momento…',
  overtaken: (state) => `El expediente ha cambiado. Ahora está: ${state}. Esta acción ya no es posible.`,
  forbidden: 'Ya no puede hacer esto. No se cambió nada.',
  conflict: 'El servicio no permite esto en el estado actual del expediente. No se cambió nada.',
  refused: 'El servicio lo rechazó. No se cambió nada. Revise lo que ha escrito.',
  conflictHere: 'Este sitio no permite esto en el estado actual del expediente. No se cambió nada.',
  refusedHere: 'Este sitio lo rechazó y no envió nada al servicio. Revise lo que ha escrito.',
  uncertain:
    'Se perdió la respuesta, así que esto puede haber ocurrido o no. Cierre esto y compruebe el estado.',
  restartUncertain:
    'Se perdió la respuesta, y el estado no muestra si el trámite se ha reiniciado. Consulte el historial antes de intentarlo de nuevo.',
}

export const history: Messages['history'] = {
  label: 'Historial del trámite',
  empty: 'Aún no ha ocurrido nada.',
  waiting: 'A la espera de',
  stop: (number) => count(number, { other: 'Etapa #' }),
  since: 'desde el',
  after: (duration) => `al cabo de ${duration}`,
  heldBy: (name) => `a cargo de ${name}`,
  overrides: { DELEGATE: 'delegado', CHANGE: 'sustituido' },
  verbs: {
    initiation: 'inició el trámite',
    received: 'lo recibió',
    signed: 'firmó',
    autoSigned: 'firmó automáticamente',
    passed: 'no llegó a firmar',
    voided: 'vio anulada su firma',
    void: 'lo anuló',
    unvoid: 'revocó la anulación',
    remove: 'lo retiró del trámite',
    re_initiate: 'reinició el trámite',
    office_opt_out: 'optó por no participar',
    notification: 'recibió un aviso',
    notification_unlock: 'permitió que siguiera el trámite',
  },
  application: 'Una aplicación',
  complete: 'El trámite está completo',
  earlier: (number) => count(number, { one: 'Mostrar # anterior', other: 'Mostrar # anteriores' }),
  jump: 'Ir al momento actual',
  future: (stops) => count(stops, { one: 'Aún por venir (# etapa)', other: 'Aún por venir (# etapas)' }),
  futureFailed: 'No se pudieron cargar las etapas por venir.',
  packageId: (id) => `Expediente ${id}`,
  invalid: (tag) => `<${tag}> necesita una lista de eventos o su JSON. El valor recibido no es válido.`,
}

export const comments: Messages['comments'] = {
  list: 'Comentarios',
  empty: 'Todavía no hay comentarios.',
  approversOnly: 'Solo para aprobadores',
  inactive: 'Inactivo',
  more: 'Mostrar más',
  less: 'Mostrar menos',
  search: 'Buscar en los comentarios',
  found: (found, total) => `${count(found, { other: '#' })} de ${count(total, { other: '#' })}`,
  none: 'Ningún comentario coincide.',
  hideInactive: (number) => count(number, { other: 'Ocultar inactivos (#)' }),
  added: (number) => count(number, { one: '# comentario nuevo.', other: '# comentarios nuevos.' }),
}

export const attachments: Messages['attachments'] = {
  list: 'Documentos adjuntos',
  empty: 'Este formulario no tiene documentos adjuntos.',
  required: (there, total) =>
    count(total, {
      one: `${there} de # documento obligatorio`,
      other: `${there} de # documentos obligatorios`,
    }),
  beforeRouting: 'Necesario antes del trámite',
  beforeCompletion: 'Necesario antes de completar',
  optional: 'Opcional',
  pdf: 'Solo PDF',
  missing: 'Falta',
  later: 'Podrá añadirlo cuando empiece el trámite.',
  other: 'Otros documentos',
  untitled: 'Documento adjunto',
  unnamed: 'Archivo sin nombre',
  add: 'Añadir archivo',
  hint: (size) => `Suelte o pegue archivos sobre una entrada · hasta ${size} cada uno`,
  description: 'Descripción (opcional)',
  final: 'Después de subirlo, no podrá cambiar ni eliminar el archivo ni su descripción.',
  upload: 'Subir',
  download: 'Descargar',
  processing: 'Subido, aún se está procesando',
  wanted: (number, titles) =>
    count(number, {
      one: `Suba el documento obligatorio: ${titles}.`,
      other: `Suba los documentos obligatorios: ${titles}.`,
    }),
  unfinished: (number) =>
    count(number, {
      one: 'Primero termine o cancele la subida.',
      other: 'Primero termine o cancele # subidas.',
    }),
}

export const files: Messages['files'] = {
  choose: 'Elegir archivos',
  chooseOne: 'Elegir un archivo',
  chooseFolder: 'Elegir una carpeta',
  drop: 'o suéltelos o péguelos aquí',
  waiting: 'En espera',
  progress: (percent, sent, total) => `${percent} (${sent} de ${total})`,
  timeLeft: (duration) => `tiempo restante: ${duration}`,
  progressLabel: (name) => `Subiendo ${name}`,
  finishing: 'Enviado. Esperando la confirmación…',
  checking: 'Comprobando si el archivo ha llegado…',
  cancelled: 'Subida cancelada.',
  stored: 'Subido',
  stalled: 'La subida se ha detenido. Espere, inténtelo de nuevo o cancele.',
  offline: 'En pausa: no hay conexión. La subida empezará de nuevo cuando la recupere.',
  signedOut: 'En pausa: su sesión ha terminado. Iníciela en otra pestaña y la subida empezará de nuevo.',
  storedAnnouncement: (name) => `Se subió ${name}.`,
  outcome: (stored, failed, names) =>
    `${count(stored, { one: '# archivo subido', other: '# archivos subidos' })}, ${count(failed, { one: '# con error', other: '# con errores' })}: ${names}`,
  announcement: (name, what) => `${name}: ${what}`,
  counts: (stored, failed, running) =>
    [
      stored && count(stored, { one: '# subido', other: '# subidos' }),
      failed && count(failed, { other: '# con error' }),
      running && count(running, { other: '# en curso' }),
    ]
      .filter(Boolean)
      .join(', '),
  named: (action, name) => `${action} ${name}`,
  cancel: 'Cancelar',
  resume: 'Continuar',
  tryAgain: 'Intentar de nuevo',
  remove: 'Quitar',
  notSent: 'No se subió: falló la conexión o el servicio.',
  uncertain:
    'No llegó la confirmación: puede que el archivo se haya subido o no. Inténtelo de nuevo para asegurarse.',
  forbidden: 'No se subió: no tiene permiso para subir archivos aquí.',
  refused: 'No se subió: el servicio rechazó el archivo.',
  refusedHere: 'No se subió: este sitio no acepta el archivo.',
  tooLargeHere: 'No se subió: el archivo es demasiado grande para este sitio. Elija uno más pequeño.',
  problems: {
    tooLarge: (limit) => `No se subió: el archivo supera ${limit}. Elija uno más pequeño.`,
    wrongType: () => 'No se subió: no se acepta este tipo de archivo. Elija otro.',
    notPdf: () => 'No se subió: solo se aceptan archivos PDF. Guarde el archivo como PDF y elíjalo de nuevo.',
    empty: () => 'No se subió: el archivo está vacío.',
    unreadable: () =>
      'No se subió: no se puede leer el archivo. Puede ser una carpeta, o haberse movido o cambiado.',
  },
}

export const uploader: Messages['uploader'] = {
  label: 'Subir archivos',
  files: 'Archivos',
  limit: (size) => `Hasta ${size} cada uno.`,
  types: (list) => `Tipos: ${list}.`,
  most: (number) => count(number, { one: 'Un solo archivo.', other: 'Hasta # archivos.' }),
  tooMany: (number) =>
    count(number, {
      one: 'No se añadió un archivo: la lista está completa.',
      other: 'No se añadieron # archivos: la lista está completa.',
    }),
  leftOut: (names) => `No se añadieron, porque están vacíos o no se pueden leer: ${names}`,
  forbidden: 'No tiene permiso para subir archivos aquí.',
  availableUntil: (day) => `Disponible hasta el ${day}`,
  unavailable: 'Archivo no disponible',
  unknown: 'No disponible. Puede haber caducado, haberse eliminado o pertenecer a otra persona.',
  gone: 'Ya no está disponible. Puede haber caducado o haberse eliminado.',
  download: 'Descargar',
  delete: 'Eliminar…',
  deleteQuestion: '¿Eliminar este archivo definitivamente?',
  deleteConfirm: 'Eliminar',
  deleteKeep: 'Conservar el archivo',
  deleting: 'Eliminando…',
  deleted: (name) => `Se eliminó ${name}.`,
  notDeleted: 'No se pudo eliminar el archivo. Inténtelo de nuevo.',
  missing: 'Suba un archivo.',
  unfinished: (number) =>
    count(number, {
      one: 'Espere a que termine la subida.',
      other: 'Espere a que terminen # subidas.',
    }),
  badDuration: (text) =>
    `expires-in="${text}" no es una duración válida. Use una duración como 30d, 12h o PT45M.`,
  badMetadata: 'metadata debe ser un objeto JSON cuyos valores sean textos.',
}

export const office: Messages['office'] = {
  label: 'Oficina',
  list: 'Mostrar la lista de oficinas',
  levels: {
    any: 'una oficina',
    org: 'una organización',
    department: 'un departamento',
    sub_department: 'un subdepartamento',
  },
  hint: (what, example) => `El número de ${what}, como ${example}.`,
  checking: 'Comprobando el número…',
  unchecked: 'No se pudo comprobar el número. Puede enviarlo tal como está.',
  missing: (what, example) => `Escriba el número de ${what}, como ${example}.`,
  notANumber: (example) => `Elija una oficina de la lista o escriba su número, como ${example}.`,
  incomplete: 'Un número de oficina tiene 2, 6 o 10 cifras, como 11, 11-0420 o 11-0420-0010.',
  wrongLevel: (key, found, wanted, example) =>
    `${key} es el número de ${found}. Escriba el número de ${wanted}, como ${example}.`,
  unknown: (key) => `La búsqueda no encuentra ninguna oficina ${key}. Revise el número.`,
}

export const officeList: Messages['officeList'] = {
  start: 'Escriba las dos primeras cifras. La búsqueda es por número.',
  found: (shown, total) =>
    shown < total
      ? `${count(shown, { other: '#' })} de ${count(total, { other: '# oficinas. Escriba más cifras del número.' })}`
      : count(total, { one: '# oficina.', other: '# oficinas.' }),
  amongLoaded: (loaded) =>
    count(loaded, {
      one: 'Los nombres se buscan solo en la # oficina ya cargada. La búsqueda es por número.',
      other: 'Los nombres se buscan solo en las # oficinas ya cargadas. La búsqueda es por número.',
    }),
  noName: 'Ningún nombre coincide.',
  none: (number) => `Ningún número de oficina empieza por ${number}.`,
  open: 'Ver las oficinas que dependen de ella',
}

export const formFields: Messages['formFields'] = {
  title: 'Hay un problema',
  enter: (label) => `Complete ${quoted(label)}.`,
  choose: (label) => `Elija una opción en ${quoted(label)}.`,
  mustBe: (label, what) => `${atStart(quoted(label))} debe ser ${what}.`,
  kinds: {
    text: () => 'un texto',
    date: (example) => `una fecha real, como ${example}`,
    url: () => 'una dirección web, como https://example.edu/',
    email: () => 'una dirección de correo, como nombre@example.edu',
    number: (example) => `un número entero, como ${example}`,
    currency: (example) => `un importe, como ${example}`,
    no_answer: () => 'un campo vacío',
    university_id: () => 'un número universitario, solo con cifras',
    org: (example) => `un número de oficina de 2 cifras, como ${example}`,
    department: (example) => `un número de oficina de 6 cifras, como ${example}`,
    sub_department: (example) => `un número de oficina de 10 cifras, como ${example}`,
    position: () => 'un número de puesto, solo con cifras',
  },
  realDate: 'una fecha real',
  personNotFound: (label) => `Nadie tiene este número universitario. Revise ${quoted(label)}.`,
  officeNotFound: (label) => `Ninguna oficina tiene este número. Revise ${quoted(label)}.`,
  positionNotFound: (label) => `Ningún puesto tiene este número. Revise ${quoted(label)}.`,
  notFound: (label) => `El servicio no lo encontró. Revise ${quoted(label)}.`,
  invalid: (label) => `El servicio no lo aceptó. Revise ${quoted(label)}.`,
  other: (label, reason) => `El servicio no aceptó ${quoted(label)}: ${reason}.`,
  notHere: (problem) => `${problem} Esta página no tiene el campo. Contacte con el responsable de la página.`,
}

/** Puts a label in quotation marks. A `data-label` such as "el coste" is already part of the sentence. */
function quoted(label: string): string {
  return label.search(/^\p{Ll}/u) === 0 ? label : `«${label}»`
}

function atStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const form: Messages['form'] = {
  label: 'Formulario',
  saving: 'Guardando…',
  submitting: 'Presentando…',
  saved: (time) => `Guardado a las ${time}.`,
  submitted: (time) => `Presentado a las ${time}.`,
  kept: (time) => `Conservado en este navegador a las ${time}. Todavía no se ha guardado.`,
  notKept: 'Todavía no se ha guardado. Este navegador no puede conservar lo que escribe: guarde a menudo.',
  restored: (time) => `Se ha recuperado lo que escribió hasta las ${time}. Todavía no se ha guardado.`,
  discard: 'Descartarlo',
  continued: 'Está continuando el borrador que guardó aquí.',
  startNew: 'Empezar un expediente nuevo',
  saveForDocuments: 'Guardar y añadir documentos',
  documentsHint: 'Podrá añadir documentos cuando el expediente esté guardado.',
  mailsChange: (names) => `Si guarda un cambio, estas personas recibirán un correo: ${names}.`,
  mailsAll: (names) =>
    `Si guarda, todos los aprobadores recibirán un correo. Ahora lo tiene en su bandeja: ${names}.`,
  readOnly: 'Puede ver este expediente, pero no cambiarlo.',
  signedOut:
    'Su sesión ha terminado. Iníciela en otra pestaña e inténtelo de nuevo. Lo que ha escrito sigue aquí.',
  incomplete: 'No se pudo cargar una parte de esta página. Inténtelo de nuevo o recargue la página.',
}

export const formOutcome: Messages['formOutcome'] = {
  notSaved: 'No se ha guardado.',
  notSubmitted: 'Se ha guardado, pero no presentado.',
  forbidden: 'No tiene permiso para hacer esto. Pregunte a los responsables del formulario.',
  refused: 'El servicio lo rechazó.',
  refusedHere: 'Este sitio lo rechazó.',
  limited: (time) => `Ha alcanzado un límite de este sitio. Inténtelo de nuevo a partir de las ${time}.`,
  unavailable: 'No se pudo contactar con el servicio. Inténtelo de nuevo.',
  sentElsewhere: 'Este expediente se está enviando desde otra pestaña. Compruébelo allí primero.',
  resubmit: 'Un expediente que le devolvieron solo se puede presentar de nuevo en el propio servicio.',
  unknownSave: 'No llegó la confirmación, así que puede que se haya guardado o no.',
  unknownSubmit: 'Se ha guardado, pero no llegó la confirmación, así que puede que se haya presentado o no.',
  checkAgain: 'Comprobar de nuevo',
  startOver: 'Guardar como borrador nuevo',
  startOverHint: 'Si el primer borrador existe, se queda en el servicio y nadie lo recibe.',
  notUploaded: (file) => `No se subió «${file}». Inténtelo de nuevo o quítelo.`,
  conflicts: 'Otra persona también lo ha cambiado. Elija qué conservar.',
  mine: 'Lo que escribió usted',
  theirs: 'Lo que está guardado ahora',
  empty: 'Nada',
  keepChosen: 'Guardar estos valores',
  cancel: 'Cancelar',
}

export const formReview: Messages['formReview'] = {
  title: 'Revise sus respuestas antes de presentarlas',
  notEntered: 'Sin rellenar',
  yes: 'Sí',
  no: 'No',
  change: 'Cambiar',
  changeOf: (label) => `Cambiar: ${label}`,
  effect: 'Al presentarlas comienza el trámite. Los primeros aprobadores lo recibirán en su bandeja.',
  submit: 'Presentar',
  back: 'Volver al formulario',
}

export const overrides: Messages['overrides'] = {
  label: 'Personas sustituidas',
  empty: 'En esta solicitud no se sustituye a nadie.',
  reason: 'Conflicto de intereses',
  pair: (replacement, subject) => `${replacement} actúa en lugar de ${subject}`,
  change: (subject, replacement) =>
    `${subject} ya no puede ver esta solicitud. ${replacement} firma en su lugar.`,
  delegate: (subject, replacement) =>
    `${subject} puede ver esta solicitud, pero no firmarla. ${replacement} firma en su lugar.`,
  otherType: (subject, replacement) =>
    `${replacement} actúa en lugar de ${subject}. Esta página no conoce el efecto.`,
  inForce: (replacement, subject) =>
    `En vigor: está en la bandeja de ${replacement}, y no en la de ${subject}.`,
  notYet: (subject) => `Todavía no está en vigor: sigue en la bandeja de ${subject}.`,
  later: (subject) => `Tendrá efecto cuando la solicitud llegue a ${subject}.`,
  unproven: 'No se ha podido comprobar si está en vigor.',
  unknown: (id) => `Identificador universitario ${id}`,
  add: 'Sustituir a alguien',
  end: 'Terminar',
  endFor: (subject) => `Terminar: ${subject}`,
  title: '¿Sustituir a alguien en esta solicitud?',
  intro: 'Úselo si alguien de la ruta tiene un conflicto de intereses.',
  subject: '¿Quién no debe decidir?',
  replacement: '¿Quién firma en su lugar?',
  personHint: 'Identificador universitario',
  personHintWithSearch: 'Nombre o identificador universitario',
  unknownPerson: (id) =>
    `No se ha podido consultar el nombre de ${id}. Compruebe que el identificador universitario es correcto.`,
  notFound: 'No se ha encontrado a nadie. Revise el nombre o escriba el identificador universitario.',
  several: 'Elija a la persona:',
  lookupFailed: 'No se ha podido consultar el directorio. Escriba el identificador universitario.',
  effect: '¿Qué podrá hacer todavía?',
  delegateChoice: 'Ver la solicitud, pero no firmarla',
  changeChoice: 'Nada: ya no podrá verla',
  next: 'Continuar',
  back: 'Atrás',
  cancel: 'Cancelar',
  busy: 'Un momento…',
  confirmTitle: (subject) => `¿Sustituir a ${subject}?`,
  confirm: (subject) => `Sustituir a ${subject}`,
  named: (name, id) => `${name} (${id})`,
  endTitle: (subject) => `¿Devolver la decisión a ${subject}?`,
  endEffect: (subject, replacement) =>
    `${subject} recupera todos sus derechos en esta solicitud. ${replacement} deja de firmar en su lugar.`,
  keep: 'Mantener',
  problems: {
    subjectMissing: 'Indique quién no debe decidir.',
    replacementMissing: 'Indique quién firma en su lugar.',
    typeMissing: 'Elija qué podrá hacer todavía.',
    same: 'Nadie puede firmar en su propio lugar. Elija a otra persona.',
    self: 'No puede hacer una sustitución que le afecta. Pídaselo a otra persona autorizada.',
    active: 'Esta persona ya está sustituida. Termine antes esa sustitución.',
    initiator: 'Esta persona hizo la solicitud. Elija a otra para firmar.',
    replaced: 'Esta persona también está sustituida en esta solicitud. Elija a quien actúa en su lugar.',
  },
  forbidden: 'No puede hacer esto. No se ha cambiado nada.',
  refused: 'Se ha rechazado. No se ha cambiado nada.',
  uncertain:
    'Se ha perdido la respuesta, así que puede haberse hecho o no. Cierre esta ventana y revise la lista.',
  signedOut: 'Ha cerrado la sesión. No se ha cambiado nada.',
  made: (replacement, subject) => `${replacement} actúa ahora en lugar de ${subject}.`,
  ended: (subject) => `${subject} vuelve a decidir.`,
}

export const route: Messages['route'] = {
  label: 'Ruta',
  usual: (key) => `La ruta habitual de ${key}`,
  usualHint: 'El formulario puede añadir otras paradas.',
  optOut: 'La solicitud no pasa por esta oficina si el formulario lo permite.',
  changed: (key, stops) =>
    count(stops, {
      one: `La ruta habitual de ${key}: # parada.`,
      other: `La ruta habitual de ${key}: # paradas.`,
    }),
  chooseOffice: 'Elija una oficina para ver su ruta habitual.',
  chooseSubType: 'La ruta puede depender del tipo de solicitud. Elija el tipo para verla.',
  noRoute: (key) => `No se encontró una ruta habitual para ${key}. Puede enviar la solicitud de todos modos.`,
  refused: 'No se pudo consultar la ruta. Puede enviar la solicitud de todos modos.',
  stop: (number) => count(number, { other: 'Parada #' }),
  signed: 'firmó',
  viewers: 'No hace falta su firma',
  nobody: 'Nadie por ahora',
  atPresent: 'actualmente en esta función',
  own: (stop) => `Usted aprueba su propia solicitud en «${stop}».`,
  initiatorApproves: (name, stop) => `${name} hizo esta solicitud y la aprueba en «${stop}».`,
  twice: (name, stops) => `${name} tiene que aprobar más de una vez: ${stops}.`,
  nobodyAt: (stop) => `No hay nadie en «${stop}». Pregunte a la oficina antes de enviar la solicitud.`,
}

export const savedRoute: Messages['savedRoute'] = {
  savedAt: (time) => `Calculada con los datos guardados a las ${time}`,
  calculatedAt: (time) => `Calculada a las ${time} con los datos guardados`,
  actual: 'La ruta hasta ahora y lo que falta',
  outdated: 'Los datos han cambiado desde entonces. Guárdelos para calcular la ruta de nuevo.',
  empty: 'La ruta calculada no tiene más paradas.',
  override: (replacement, subject, canView) =>
    `Hay una sustitución en vigor: ${replacement} firma en lugar de ${subject}, que ${canView ? 'puede ver el expediente, pero no firmarlo' : 'no puede ver el expediente'}.`,
  asPredicted: (time) => `Como se calculó el ${time}, antes de enviarla.`,
  differs: (time) => `Difiere de lo que se calculó el ${time}, antes de enviarla:`,
  added: (stop) => `«${stop}» no estaba previsto.`,
  dropped: (stop) => `«${stop}» estaba previsto.`,
  replaced: (stop, before, now) => `«${stop}»: se preveía ${before} y ahora está ${now}.`,
}

export const storedFiles: Messages['storedFiles'] = {
  label: 'Archivos',
  count: (number) => count(number, { one: '# archivo', other: '# archivos' }),
  unavailable: (number) => count(number, { one: '# no está disponible', other: '# no están disponibles' }),
  empty: 'Todavía no hay archivos.',
  unnamed: 'Archivo sin nombre',
  loading: 'Cargando…',
  uploaded: (day) => `Subido el ${day}`,
  keptUntil: (day) => `se conserva hasta el ${day}`,
  expired: (day) => `Caducó el ${day}. Súbalo de nuevo si aún hace falta.`,
  noEnd: 'sin fecha de fin',
  ends: {
    deleted: 'Eliminado.',
    lost: 'Ya no está disponible. Puede que se haya eliminado o que usted haya perdido el acceso.',
    missing: 'No está disponible. Puede que haya caducado, que se haya eliminado o que sea de otra persona.',
    forbidden: 'No tiene acceso a este archivo.',
    unread: 'No se pudo cargar.',
  },
  opensInTab: (name) => `Abrir ${name} en una pestaña nueva`,
  named: (action, name) => `${action} ${name}`,
  download: 'Descargar',
  edit: 'Editar',
  delete: 'Eliminar',
  undo: 'Deshacer',
  deleteNow: 'Eliminar ahora',
  waiting: (seconds) =>
    count(seconds, { one: 'Se eliminará en # segundo.', other: 'Se eliminará en # segundos.' }),
  granteesLose: (names) => `También lo pierden: ${names}.`,
  deleting: 'Eliminando…',
  notDeleted: 'No se pudo eliminar. Inténtelo de nuevo.',
  deleted: (name) => `${name} se ha eliminado.`,
  kept: (name) => `${name} se conserva.`,
  announcement: (name, what) => `${name}: ${what}`,
  editing: (name) => `Editar ${name}`,
  name: 'Nombre',
  keepUntil: 'Conservar hasta',
  dayHint: 'Deje la fecha vacía para conservar el archivo sin fecha de fin.',
  testLimit: (day) =>
    `El entorno de pruebas elimina los archivos 30 días después de subirlos: este, el ${day} a más tardar.`,
  labels: 'Etiquetas',
  labelName: 'Etiqueta',
  labelValue: 'Valor',
  labelsHint: 'Borre un valor para quitar su etiqueta.',
  addLabel: 'Añadir una etiqueta',
  save: 'Guardar',
  saving: 'Guardando…',
  cancel: 'Cancelar',
  saved: (name) => `Guardado: ${name}`,
  notSaved: 'No se pudo guardar. Sus cambios siguen aquí. Inténtelo de nuevo.',
  notSavedRefused: 'No se guardó. Cambie lo que se indica aquí y guarde de nuevo:',
  notSavedGone: 'No se guardó: el archivo ya no está disponible.',
  notSavedForbidden: 'No se guardó: no tiene permiso para cambiar este archivo.',
  problems: {
    blankName: 'Escriba un nombre.',
    tooEarly: 'Escriba una fecha completa, desde mañana. Para quitar el archivo ahora, elimínelo.',
    unnamedLabel: 'Escriba un nombre para la etiqueta.',
    emptyLabel: 'Escriba un valor para la etiqueta.',
    repeatedLabel: 'Esta etiqueta ya existe. Cambie su valor.',
  },
  support: 'Para soporte',
  reference: 'Referencia',
  missing: 'Añada un archivo.',
}

export const shares: Messages['shares'] = {
  label: 'Archivos compartidos',
  count: (number) => count(number, { one: '# archivo compartido', other: '# archivos compartidos' }),
  empty: 'No se comparte con ninguna aplicación.',
  forbidden:
    'No tiene permiso para ver con quién se comparten los archivos. Pregunte a quien subió el archivo.',
  filters: 'Filtrar la lista',
  application: 'Aplicación',
  allApplications: 'Todas las aplicaciones',
  file: 'Archivo',
  everyFile: 'Todos los archivos',
  order: 'Orden',
  orders: {
    'createdAt,desc': 'Los más recientes primero',
    'createdAt,asc': 'Los más antiguos primero',
    'granteeClientId,asc': 'Por aplicación',
  },
  allFiles: 'Acceso a todos los archivos, también a los futuros',
  allFilesHint:
    'Solo un administrador del servicio de archivos puede cambiarlo. Con estas aplicaciones no se pueden compartir archivos sueltos, y una aplicación solo obtiene acceso a todos los archivos si no se comparte con ella ninguno suelto.',
  otherApplication: 'Otra aplicación',
  unknownFile: 'Archivo sin nombre',
  sharedWith: (application) => `Se comparte con ${application}`,
  since: (day) => `desde el ${day}`,
  revoke: 'Dejar de compartir…',
  revokeNamed: (file, application) => `Dejar de compartir… ${file} con ${application}`,
  revokeTitle: (file, application) => `¿Dejar de compartir ${file} con ${application}?`,
  revokeEffect: (application) =>
    `${application} pierde el acceso al archivo. Los enlaces que ya tiene funcionan hasta que caduquen, durante 7 días como máximo. El archivo se conserva y puede compartirlo de nuevo.`,
  keepSharing: 'Seguir compartiendo',
  revokeConfirm: 'Dejar de compartir',
  revoking: 'Deteniendo…',
  revoked: (application) => `Ya no se comparte con ${application}.`,
  notRevoked: 'No se pudo dejar de compartir. Inténtelo de nuevo.',
  notRevocable: 'No tiene permiso para dejar de compartir este archivo.',
  pages: 'Páginas de la lista',
  range: (from, to, total) =>
    `${count(from, { other: '#' })}–${count(to, { other: '#' })} de ${count(total, { other: '#' })}`,
  previous: 'Anterior',
  next: 'Siguiente',
  create: 'Compartir un archivo',
  createOf: (file) => `Compartir ${file}`,
  chooseFile: 'Elija un archivo',
  chooseApplication: 'Elija una aplicación',
  share: 'Compartir',
  sharing: 'Compartiendo…',
  shared: (application) => `Se comparte con ${application}.`,
  noFile: 'Elija un archivo para compartir.',
  noApplication: 'Elija una aplicación con la que compartir.',
  hasAll: (application) =>
    `${application} ya tiene acceso a todos los archivos, así que no hace falta compartir este.`,
  isShared: (application) => `El archivo ya se comparte con ${application}.`,
  refused:
    'No se compartió: el servicio lo rechazó. Una aplicación con acceso a todos los archivos no puede recibir archivos sueltos.',
  notShareable: 'No se compartió: no tiene permiso para compartir este archivo, o ya no está disponible.',
  notShared: 'No se pudo compartir. Inténtelo de nuevo.',
  support: 'Para soporte',
  reference: 'Referencia',
}

export const pause: Messages['pause'] = {
  since: (stop, name) => `En pausa${stopText(stop, name)} desde el`,
  paused: (stop, name) => `En pausa${stopText(stop, name)}`,
  release: 'Dejar que continúe',
  title: '¿Dejar que este expediente continúe?',
  consequence:
    'El trámite sigue desde esta etapa y las siguientes personas reciben el expediente. Puede que la aplicación que lo puso en pausa no haya terminado: si no está seguro, pregunte antes a sus responsables.',
  reason: 'Motivo',
  reasonHint: 'El motivo queda anotado con su nombre en el registro de este sitio.',
  reasonMissing: 'Escriba por qué puede continuar el expediente.',
  keep: 'Mantener la pausa',
  busy: 'Un momento…',
  continues: 'El expediente continúa.',
  waits:
    'La pausa se levantó, pero el expediente aún no está en ninguna bandeja. Compruébelo en un momento: puede tardar un poco o estar de nuevo en pausa.',
  signedOut: 'Su sesión ha terminado. Inicie sesión y vuelva a esta página. El expediente sigue en pausa.',
  forbidden: 'No tiene permiso para hacerlo. El expediente sigue en pausa.',
  outdated: 'Esta pausa ha terminado o cambiado entretanto. Cierre esto y compruebe el expediente.',
  refused: 'Se rechazó. El expediente sigue en pausa.',
  uncertain:
    'Se perdió la respuesta, así que puede que el expediente continúe o no. Cierre esto y compruébelo.',
}

function stopText(stop: number | null, name: string | null): string {
  if (stop === null) return name === null ? '' : ` en ${name}`
  return name === null ? ` en la etapa ${stop}` : ` en la etapa ${stop}, ${name},`
}

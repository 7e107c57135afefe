import type { Messages } from './messages.ts'

export const language: string = 'de'

export const common: Messages['common'] = {
  tryAgain: 'Erneut versuchen',
  trying: 'Wird versucht…',
  stillUnavailable: 'Noch immer nicht verfügbar.',
  upToDate: 'Wieder auf dem neuesten Stand.',
  more: { other: 'Und # weitere.' },
  stale: 'Diese Angaben sind möglicherweise veraltet. Die neueste Fassung konnte nicht geladen werden.',
  knownAt: 'Stand von {time}. Es wird erneut versucht.',
  mayBeOld: 'Möglicherweise nicht aktuell.',
  between:
    'Ein Server zwischen dieser Seite und dem Dienst hat den Zugriff verweigert ({status}). Wenden Sie sich an die Betreiber dieser Website.',
  loading: 'Wird geladen…',
  forbidden: 'Sie haben keinen Zugriff auf diesen Antrag.',
  missing: 'Diesen Antrag gibt es nicht.',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich an und kehren Sie dann auf diese Seite zurück.',
  isSignedOut: 'Sie sind abgemeldet.',
  signIn: 'Anmelden',
  separator: ', ',
  labelled: '{label}: {text}',
  unavailable: 'Konnte nicht geladen werden.',
  noProxy: 'Unter {endpoint} wurde kein Routeslip-Proxy gefunden.',
  leftOut: {
    one: '# Eintrag konnte nicht gelesen werden.',
    other: '# Einträge konnten nicht gelesen werden.',
  },
  someone: 'Jemand',
  permissions: {
    SIGNATURE_REQUIRED: 'muss unterzeichnen',
    SIGNATURE_PERMITTED: 'darf unterzeichnen',
    VIEW_AND_EDIT: 'darf bearbeiten',
    VIEW_ONLY: 'darf einsehen',
  },
  notConfigured: '<{tag}> benötigt {missing}, um etwas anzuzeigen.',
  foreignEndpoint:
    '<{tag}> kann keinen Proxy unter {origin} verwenden. Nehmen Sie die Adresse in "origins" auf, mit configure() oder im Konfigurationsskript der Seite.',
}

export const packageStatus: Messages['packageStatus'] = {
  label: 'Status',
  states: {
    PRE_ROUTING: 'Nicht im Umlauf',
    DRAFT: 'Entwurf',
    ROUTING: 'Im Umlauf',
    COMPLETE: 'Abgeschlossen',
    VOID: 'Ungültig',
  },
  stateChanged: 'Der Antrag hat jetzt den Status: {state}.',
  waitingFor: 'Wartet auf',
  waitingUnknown: 'Bei wem der Antrag liegt, konnte nicht geladen werden.',
  mustSubmit: 'muss den Antrag einreichen',
  mustResubmit: 'muss den Antrag korrigieren und erneut einreichen',
  returnedBy: 'Zurückgegeben von',
  returned: 'Zurückgegeben. Letzter Kommentar von',
  removedBy: 'Aus dem Umlauf genommen von {name}',
  voidedBy: 'Für ungültig erklärt von {name}',
  approvedOn: 'Genehmigt am {day}',
  completedOn: 'Abgeschlossen am {day}',
  notStarted: 'Der Umlauf hat noch nicht begonnen',
  waitingForYou: 'Wartet auf Sie',
  you: '{name} (Sie)',
  editElsewhere:
    'Bearbeiten Sie den Antrag auf der Seite, auf der Sie ihn ausgefüllt haben, und reichen Sie ihn dort ein.',
  nobody: 'niemanden',
  initiator: 'Gestellt von',
  routingDate: 'Begonnen',
  actionDate: 'Letzte Aktion',
  details: 'Details',
  voidReason: 'Grund',
  voidReasons: {
    DUPLICATE_TRANSACTION: 'Doppelter Vorgang',
    INCORRECT_FORM: 'Falsches Formular',
    TRANSACTION_CANCELLED: 'Vorgang zurückgezogen',
    TRANSACTION_DENIED: 'Vorgang abgelehnt',
  },
  since: 'seit',
  comments: { one: '# Kommentar', other: '# Kommentare' },
  attachments: { one: '# Anlage', other: '# Anlagen' },
  test: 'Test',
  onFile: 'Enthält',
  testHint: 'Dieser Antrag befindet sich in der Testumgebung.',
  notAvailable: 'Nicht verfügbar',
  notLoaded: 'Nicht geladen',
  sign: 'Unterzeichnen',
  edit: 'Bearbeiten',
  editAndSubmit: 'Bearbeiten und einreichen',
  actions: 'Aktionen',
  unchecked: 'Ob noch etwas fehlt, konnte nicht geprüft werden.',
  actionsFailed: 'Diese Aktion konnte nicht geöffnet werden.',
  restarted: 'Der Umlauf hat neu begonnen.',
  getPdf: 'PDF herunterladen',
  routePackage: 'In Umlauf geben',
  reinitiatePackage: 'Erneut in Umlauf geben',
  returnPackage: 'An eine Person zurückgeben',
  returnToInitiator: 'Zur Überarbeitung zurückgeben',
  restartPackage: 'Umlauf neu beginnen',
  unvoidPackage: 'Wieder gültig machen',
  removePackage: 'Aus dem Umlauf nehmen',
  withdrawPackage: 'Zurückziehen',
  voidPackage: 'Für ungültig erklären',
}

export const packageActions: Messages['packageActions'] = {
  titles: {
    routePackage: 'Diesen Antrag in Umlauf geben?',
    reinitiatePackage: 'Diesen Antrag erneut in Umlauf geben?',
    returnPackage: 'Diesen Antrag an eine Person zurückgeben?',
    returnToInitiator: 'Diesen Antrag zur Überarbeitung zurückgeben?',
    restartPackage: 'Umlauf neu beginnen?',
    unvoidPackage: 'Diesen Antrag wieder gültig machen?',
    removePackage: 'Diesen Antrag aus dem Umlauf nehmen?',
    withdrawPackage: 'Diesen Antrag zurückziehen?',
    voidPackage: 'Diesen Antrag für ungültig erklären?',
    getPdf: 'Diesen Antrag als PDF herunterladen?',
  },
  consequences: {
    routePackage:
      'Der Umlauf beginnt. Die ersten genehmigenden Personen erhalten den Antrag in ihrem Eingang.',
    reinitiatePackage:
      'Der Umlauf beginnt wieder an der ersten Station, und der Verlauf zeigt das an. Das ist nur möglich, wenn der Antrag aus dem Umlauf genommen wurde. War er noch nie im Umlauf, geben Sie ihn stattdessen in Umlauf.',
    returnPackage:
      'Eine weitere Person erhält den Antrag am Ende des Umlaufs in ihrem Eingang. Sobald sie unterzeichnet, ist er wieder abgeschlossen.',
    returnToInitiator:
      'Der Antrag wird zum Entwurf und verschwindet aus allen Eingängen. Die antragstellende Person muss ihn erneut einreichen, und alle müssen erneut unterzeichnen.',
    restartPackage: 'Der Umlauf beginnt wieder an der ersten Station. Alle müssen erneut unterzeichnen.',
    unvoidPackage: 'Der Antrag erhält wieder den Status, den er vorher hatte.',
    removePackage:
      'Der Antrag verschwindet aus allen Eingängen und aus dem Verlauf. Er wird nicht gelöscht: Wer Zugriff hat, findet ihn weiterhin.',
    withdrawPackage:
      'Der Antrag verschwindet aus allen Eingängen, und niemand erhält eine E-Mail. Danach können Sie ihn korrigieren und erneut einreichen. Der Umlauf beginnt dann an der ersten Station.',
    voidPackage:
      'Der Umlauf endet jetzt. Der Antrag verschwindet aus allen Eingängen, und niemand kann ihn mehr unterzeichnen.',
    getPdf: 'Das PDF enthält das eingereichte Formular. Wählen Sie, was es außerdem enthalten soll.',
  },
  voidQuestion: 'Warum möchten Sie ihn für ungültig erklären?',
  voidReasonMissing: 'Wählen Sie einen Grund aus.',
  univid: 'Empfangende Person',
  unividMissing: 'Geben Sie eine Universitätskennung mit höchstens 12 Ziffern ein.',
  comment: 'Kommentar',
  commentHint: 'Die antragstellende Person erhält ihn per E-Mail. Er erscheint auch beim Antrag.',
  commentMissing: 'Geben Sie ein, was die antragstellende Person tun soll.',
  includeRouting: 'Mit dem Verlauf des Umlaufs',
  mergeAttachments: 'Mit den Anlagen',
  leftOut: 'Nicht enthalten, weil es keine PDF-Dateien sind:',
  leftOutUnknown: 'Enthält nur Anlagen im PDF-Format. Die Liste der übrigen konnte nicht geladen werden.',
  cancel: 'Abbrechen',
  keep: 'Beibehalten',
  busy: 'Einen Moment…',
  overtaken:
    'Der Antrag hat sich geändert. Er hat jetzt den Status: {state}. Diese Aktion ist nicht mehr möglich.',
  forbidden: 'Dazu sind Sie nicht mehr berechtigt. Es wurde nichts geändert.',
  conflict: 'Der Dienst lässt das beim jetzigen Status des Antrags nicht zu. Es wurde nichts geändert.',
  refused: 'Der Dienst hat das abgelehnt. Es wurde nichts geändert. Prüfen Sie Ihre Eingaben.',
  conflictHere:
    'Diese Website lässt das beim jetzigen Status des Antrags nicht zu. Es wurde nichts geändert.',
  refusedHere: 'Diese Website hat das abgelehnt und nichts an den Dienst gesendet. Prüfen Sie Ihre Eingaben.',
  uncertain:
    'Die Antwort ging verloren. Ob es ausgeführt wurde, ist daher ungewiss. Schließen Sie dieses Fenster und prüfen Sie den Status.',
  restartUncertain:
    'Die Antwort ging verloren, und der Status zeigt nicht, ob der Umlauf neu begonnen hat. Prüfen Sie den Verlauf, bevor Sie es erneut versuchen.',
  withdrawn: 'Sie haben den Antrag zurückgezogen',
  lost: '{name} hat im selben Moment unterschrieben. Diese Unterschrift ist verloren.',
  lostUnknown: 'Ob jemand im selben Moment unterschrieben hat, konnte nicht geprüft werden.',
  close: 'Schließen',
}

export const missing: Messages['missing'] = {
  release: 'Freigabe an der Station „{stop}“',
  held: 'Eine Anwendung, die mit dem Formular verbunden ist, hält den Umlauf an dieser Station an. Wenn das lange dauert, fragen Sie die für das Formular zuständige Stelle.',
  releasers:
    'Diese Anwendung kann den Antrag fortsetzen, ebenso die Personen, denen diese Website das erlaubt.',
  lacksDocument: {
    one: 'Pflichtunterlage. Die antragstellende oder eine genehmigende Person muss sie hochladen.',
    other: 'Pflichtunterlagen. Die antragstellende oder eine genehmigende Person muss sie hochladen.',
  },
  unknownReason:
    'Der Antrag liegt in keinem Eingang. Der Grund ist hier nicht bekannt. Fragen Sie die für das Formular zuständige Stelle.',
  signature: 'Sie können diesen Antrag unterschreiben.',
  refusal: {
    one: 'Der Dienst kann Ihre Unterschrift ablehnen, solange dies nicht hochgeladen ist: {titles}.',
    other: 'Der Dienst kann Ihre Unterschrift ablehnen, solange dies nicht hochgeladen ist: {titles}.',
  },
  completion: 'Noch vor der letzten Unterschrift erforderlich: {titles}.',
  nobodyAt:
    'An der Station „{stop}“ ist niemand eingetragen. Fragen Sie die für das Formular zuständige Stelle.',
  unchecked: {
    documents: 'Ob eine Unterlage fehlt, konnte nicht geprüft werden.',
    route: 'Der weitere Umlauf konnte nicht geprüft werden.',
    pause: 'Ob eine Anwendung den Umlauf anhält, konnte nicht geprüft werden.',
  },
}

export const pause: Messages['pause'] = {
  since: 'Angehalten seit',
  sinceAt: 'Angehalten an {stop} seit',
  stop: 'Station {number}',
  namedStop: 'Station {number} ({name})',
  paused: 'Angehalten',
  pausedAt: 'Angehalten an {stop}',
  release: 'Fortsetzen',
  title: 'Diesen Antrag weiterlaufen lassen?',
  consequence:
    'Der Umlauf geht von dieser Station aus weiter, und die nächsten Personen erhalten den Antrag. Die Anwendung, die ihn angehalten hat, ist möglicherweise noch nicht fertig. Wenn Sie nicht sicher sind, fragen Sie zuerst die dafür zuständige Stelle.',
  reason: 'Begründung',
  reasonHint: 'Die Begründung wird mit Ihrem Namen im Protokoll dieser Website festgehalten.',
  reasonMissing: 'Geben Sie ein, warum der Antrag weiterlaufen darf.',
  keep: 'Angehalten lassen',
  busy: 'Einen Moment…',
  continues: 'Der Antrag läuft weiter.',
  waits:
    'Der Antrag wurde freigegeben, liegt aber noch in keinem Eingang. Sehen Sie gleich noch einmal nach: Es kann etwas dauern, oder er wurde erneut angehalten.',
  signedOut:
    'Ihre Sitzung ist beendet. Melden Sie sich an und kehren Sie auf diese Seite zurück. Der Antrag ist weiterhin angehalten.',
  forbidden: 'Dazu sind Sie nicht berechtigt. Der Antrag ist weiterhin angehalten.',
  outdated:
    'Der Umlauf ist inzwischen nicht mehr angehalten oder aus einem anderen Grund angehalten. Schließen Sie dieses Fenster und prüfen Sie den Antrag.',
  refused: 'Das wurde abgelehnt. Der Antrag ist weiterhin angehalten.',
  uncertain:
    'Die Antwort ging verloren. Ob der Antrag weiterläuft, ist daher ungewiss. Schließen Sie dieses Fenster und prüfen Sie den Antrag.',
}

export const history: Messages['history'] = {
  label: 'Verlauf des Umlaufs',
  announcement: '{event}.',
  empty: 'Bisher ist nichts geschehen.',
  waiting: 'Wartet auf',
  stop: { other: 'Station #' },
  since: 'seit',
  after: 'nach {duration}',
  heldBy: 'bei {name}',
  overrides: { DELEGATE: 'delegiert', CHANGE: 'vertreten' },
  verbs: {
    initiation: 'hat den Umlauf begonnen',
    received: 'hat den Antrag erhalten',
    signed: 'hat unterzeichnet',
    autoSigned: 'hat automatisch unterzeichnet',
    passed: 'hat nicht unterzeichnet',
    voided: 'hat unterzeichnet (nicht mehr gültig)',
    void: 'hat den Antrag für ungültig erklärt',
    unvoid: 'hat den Antrag wieder gültig gemacht',
    remove: 'hat den Antrag aus dem Umlauf genommen',
    re_initiate: 'hat den Umlauf erneut begonnen',
    office_opt_out: 'hat auf die Teilnahme verzichtet',
    notification: 'wurde benachrichtigt',
    notification_unlock: 'hat den Umlauf freigegeben',
  },
  application: 'Eine Anwendung',
  complete: 'Der Umlauf ist abgeschlossen',
  earlier: { one: '# früheren anzeigen', other: '# frühere anzeigen' },
  all: { other: 'Alle # früheren anzeigen' },
  shown: '{shown} von {total} angezeigt.',
  jump: 'Zum jetzigen Stand',
  future: { one: 'Noch ausstehend (# Station)', other: 'Noch ausstehend (# Stationen)' },
  futureFailed: 'Die noch ausstehenden Stationen konnten nicht geladen werden.',
  packageId: 'Antrag {id}',
  invalid: '<{tag}> benötigt eine Liste von Ereignissen oder deren JSON. Der angegebene Wert ist ungültig.',
}

export const comments: Messages['comments'] = {
  list: 'Kommentare',
  empty: 'Noch keine Kommentare.',
  initiator: 'Antragstellende Person',
  approver: 'Genehmigende Person, Station {number}',
  new: 'Neu',
  approversOnly: 'Nur für Genehmigende',
  inactive: 'Inaktiv',
  more: 'Mehr anzeigen',
  less: 'Weniger anzeigen',
  search: 'Kommentare durchsuchen',
  found: '{found} von {total}',
  none: 'Keine passenden Kommentare.',
  hideInactive: { other: 'Inaktive ausblenden (#)' },
  addedBy: '1 neuer Kommentar von {name}.',
  added: { one: '# neuer Kommentar.', other: '# neue Kommentare.' },
}

export const attachments: Messages['attachments'] = {
  list: 'Anlagen',
  empty: 'Dieses Formular hat keine Anlagen.',
  required: {
    one: '{there} von # Pflichtunterlage',
    other: '{there} von # Pflichtunterlagen',
  },
  beforeRouting: 'Vor dem Umlauf erforderlich',
  beforeCompletion: 'Vor dem Abschluss erforderlich',
  optional: 'Freiwillig',
  pdf: 'Nur PDF',
  missing: 'Fehlt',
  later: 'Sie können das hinzufügen, wenn der Umlauf begonnen hat.',
  otherTitle: 'Weitere Anlagen',
  untitled: 'Anlage',
  add: 'Datei hinzufügen',
  hint: 'Dateien auf einen Eintrag ziehen oder dort einfügen · jeweils bis zu {size}',
  description: 'Beschreibung (freiwillig)',
  final: 'Nach dem Hochladen können Sie die Datei und ihre Beschreibung nicht mehr ändern oder löschen.',
  upload: 'Hochladen',
  processing: 'Hochgeladen, wird noch verarbeitet',
  wanted: {
    one: 'Laden Sie die Pflichtunterlage hoch: {titles}.',
    other: 'Laden Sie die Pflichtunterlagen hoch: {titles}.',
  },
  unfinished: {
    one: 'Warten Sie zuerst, bis das Hochladen beendet ist, oder brechen Sie es ab.',
    other: 'Warten Sie zuerst, bis # Dateien hochgeladen sind, oder brechen Sie das Hochladen ab.',
  },
}

export const files: Messages['files'] = {
  choose: 'Dateien auswählen',
  chooseOne: 'Datei auswählen',
  chooseFolder: 'Ordner auswählen',
  drop: 'oder hierher ziehen oder einfügen',
  waiting: 'Wartet auf das Hochladen',
  progress: '{percent} ({sent} von {total})',
  timeLeft: 'noch {duration}',
  progressLabel: '{name} wird hochgeladen',
  sending: 'Wird gesendet…',
  finishing: 'Gesendet. Bestätigung wird erwartet…',
  checking: 'Es wird geprüft, ob die Datei angekommen ist…',
  cancelled: 'Hochladen abgebrochen.',
  stalled: 'Das Hochladen stockt. Warten Sie, versuchen Sie es erneut oder brechen Sie ab.',
  offline:
    'Unterbrochen: keine Internetverbindung. Sobald Sie wieder verbunden sind, beginnt das Hochladen erneut.',
  signedOut:
    'Unterbrochen: Sie sind abgemeldet. Melden Sie sich in einem anderen Tab an, dann beginnt das Hochladen erneut.',
  storedAnnouncement: '{name} wurde hochgeladen.',
  announcement: '{name}: {what}',
  uploaded: { other: '# hochgeladen' },
  failed: { other: '# fehlgeschlagen' },
  uploading: { one: '# wird hochgeladen', other: '# werden hochgeladen' },
  paused: { other: '# unterbrochen' },
  outcome: '{counts}: {names}',
  named: '{name}: {action}',
  cancel: 'Abbrechen',
  resume: 'Fortsetzen',
  tryAgain: 'Erneut versuchen',
  remove: 'Entfernen',
  notSent: 'Nicht hochgeladen: Die Verbindung oder der Dienst ist ausgefallen.',
  uncertain:
    'Es kam keine Bestätigung an. Ob die Datei hochgeladen ist, ist daher ungewiss. Versuchen Sie es zur Sicherheit erneut.',
  unconfirmed:
    'Ob die Datei hochgeladen ist, ist ungewiss. Prüfen Sie das, bevor Sie es erneut versuchen: Ein weiterer Versuch speichert sie möglicherweise doppelt.',
  forbidden: 'Nicht hochgeladen: Sie sind nicht berechtigt, hier Dateien hochzuladen.',
  refused: 'Nicht hochgeladen: Der Dienst hat die Datei abgelehnt.',
  refusedHere: 'Nicht hochgeladen: Diese Website nimmt die Datei nicht an.',
  refusedBetween:
    'Nicht hochgeladen: Ein Server zwischen dieser Seite und dem Dienst hat die Datei abgelehnt. Sagen Sie dem Betreiber dieser Website Bescheid.',
  uncertainBetween:
    'Ein Server zwischen dieser Seite und dem Dienst hat das Hochladen abgelehnt. Ob die Datei hochgeladen ist, ist daher ungewiss. Versuchen Sie es zur Sicherheit erneut, oder sagen Sie dem Betreiber dieser Website Bescheid.',
  tooLargeHere: 'Nicht hochgeladen: Die Datei ist zu groß für diese Website. Wählen Sie eine kleinere Datei.',
  problems: {
    tooLarge: 'Nicht hochgeladen: Die Datei ist größer als {limit}. Wählen Sie eine kleinere Datei.',
    wrongType: 'Nicht hochgeladen: Dateien dieser Art werden nicht angenommen. Wählen Sie eine andere Datei.',
    wrongTypeOf:
      'Nicht hochgeladen: Dateien dieser Art werden nicht angenommen. Wählen Sie eine von diesen Arten: {types}.',
    notPdf:
      'Nicht hochgeladen: Nur PDF-Dateien werden angenommen. Speichern Sie die Datei als PDF und wählen Sie sie erneut aus.',
    empty:
      'Nicht hochgeladen: Die Datei ist leer. Speichern Sie sie erneut, oder wählen Sie eine andere Datei.',
    unreadable:
      'Nicht hochgeladen: Die Datei kann nicht gelesen werden. Vielleicht ist sie ein Ordner, oder sie wurde verschoben oder geändert.',
  },
  unnamed: 'Datei ohne Namen',
  opensInTab: '{name} in einem neuen Tab öffnen',
  download: 'Herunterladen',
  uploadedOn: 'Hochgeladen am {day}',
  keptUntil: 'aufbewahrt bis {day}',
  noEnd: 'ohne Enddatum',
  ends: {
    expired: 'Abgelaufen am {day}. Laden Sie die Datei erneut hoch, falls sie noch benötigt wird.',
    lost: 'Nicht mehr verfügbar. Die Datei wurde vielleicht gelöscht, oder Sie haben keinen Zugriff mehr.',
    missing:
      'Nicht verfügbar. Die Datei ist vielleicht abgelaufen, wurde gelöscht oder gehört jemand anderem.',
  },
  deleting: 'Wird gelöscht…',
  deleted: '{name} wurde gelöscht.',
  notDeleted: 'Konnte nicht gelöscht werden. Versuchen Sie es erneut.',
}

export const uploader: Messages['uploader'] = {
  label: 'Dateien hochladen',
  files: 'Dateien',
  limit: 'Jeweils bis zu {size}.',
  types: 'Dateitypen: {list}.',
  most: { one: 'Nur eine Datei.', other: 'Bis zu # Dateien.' },
  tooMany: {
    one: 'Eine Datei wurde nicht hinzugefügt: Die Liste ist voll.',
    other: '# Dateien wurden nicht hinzugefügt: Die Liste ist voll.',
  },
  leftOut: 'Nicht hinzugefügt, weil leer oder nicht lesbar: {names}',
  hidden: {
    one: 'Eine versteckte Datei wurde ausgelassen.',
    other: '# versteckte Dateien wurden ausgelassen.',
  },
  forbidden: 'Sie sind nicht berechtigt, hier Dateien hochzuladen.',
  delete: 'Löschen…',
  deleteQuestion: 'Diese Datei endgültig löschen?',
  deleteConfirm: 'Löschen',
  deleteKeep: 'Datei behalten',
  missing: 'Laden Sie eine Datei hoch.',
  unfinished: {
    one: 'Warten Sie, bis die Datei hochgeladen ist.',
    other: 'Warten Sie, bis # Dateien hochgeladen sind.',
  },
  badDuration:
    'expires-in="{text}" ist keine gültige Dauer. Verwenden Sie eine Dauer wie 30d, 12h oder PT45M.',
  badMetadata: 'metadata muss ein JSON-Objekt sein, dessen Werte Zeichenketten sind.',
}

export const storedFiles: Messages['storedFiles'] = {
  label: 'Dateien',
  count: { one: '# Datei', other: '# Dateien' },
  unavailable: { one: '# ist nicht verfügbar', other: '# sind nicht verfügbar' },
  empty: 'Noch keine Dateien.',
  ends: {
    deleted: 'Gelöscht.',
    forbidden: 'Sie haben keinen Zugriff auf diese Datei.',
    unread: 'Konnte nicht geladen werden.',
  },
  edit: 'Bearbeiten',
  delete: 'Löschen',
  undo: 'Rückgängig machen',
  deleteNow: 'Jetzt löschen',
  waiting: 'Wird gelöscht, wenn Sie diese Seite verlassen.',
  granteesLose: 'Den Zugriff verlieren auch: {names}.',
  kept: '{name} bleibt erhalten.',
  editing: '{name} bearbeiten',
  name: 'Name',
  keepUntil: 'Aufbewahren bis',
  dayHint: 'Lassen Sie das Datum leer, um die Datei ohne Enddatum aufzubewahren.',
  testLimit: 'Die Testumgebung löscht Dateien 30 Tage nach dem Hochladen, diese also spätestens am {day}.',
  labels: 'Merkmale',
  labelName: 'Merkmal',
  labelValue: 'Wert',
  labelsHint: 'Leeren Sie einen Wert, um sein Merkmal zu entfernen.',
  addLabel: 'Merkmal hinzufügen',
  save: 'Speichern',
  saving: 'Wird gespeichert…',
  cancel: 'Abbrechen',
  saved: 'Gespeichert: {name}',
  notSaved: 'Konnte nicht gespeichert werden. Ihre Änderungen sind noch da. Versuchen Sie es erneut.',
  notSavedRefused: 'Nicht gespeichert. Ändern Sie, was hier beschrieben ist, und speichern Sie dann erneut:',
  notSavedGone: 'Nicht gespeichert: Die Datei ist nicht mehr verfügbar.',
  notSavedForbidden: 'Nicht gespeichert: Sie sind nicht berechtigt, diese Datei zu ändern.',
  problems: {
    blankName: 'Geben Sie einen Namen ein.',
    tooEarly:
      'Geben Sie ein vollständiges Datum ein, frühestens das von morgen. Um die Datei jetzt zu entfernen, löschen Sie sie.',
    tooLate: 'Geben Sie ein früheres Datum ein: Die Testumgebung bewahrt Dateien 30 Tage lang auf.',
    unnamedLabel: 'Geben Sie einen Namen für das Merkmal ein.',
    emptyLabel: 'Geben Sie einen Wert für das Merkmal ein.',
    repeatedLabel: 'Dieses Merkmal gibt es schon. Ändern Sie stattdessen seinen Wert.',
  },
  support: 'Für den Support',
  reference: 'Referenz',
  missing: 'Fügen Sie eine Datei hinzu.',
}

export const shares: Messages['shares'] = {
  label: 'Freigaben',
  count: { one: '# Freigabe', other: '# Freigaben' },
  empty: 'Für keine Anwendung freigegeben.',
  forbidden:
    'Sie sind nicht berechtigt zu sehen, für wen Dateien freigegeben sind. Fragen Sie die Person, der die Datei gehört.',
  filters: 'Freigaben filtern',
  application: 'Anwendung',
  allApplications: 'Alle Anwendungen',
  file: 'Datei',
  everyFile: 'Alle Dateien',
  order: 'Reihenfolge',
  orders: {
    'createdAt,desc': 'Neueste zuerst',
    'createdAt,asc': 'Älteste zuerst',
    'granteeClientId,asc': 'Nach Anwendung',
  },
  allFiles: 'Zugriff auf alle Dateien, auch auf künftige',
  allFilesHint:
    'Das kann nur die Administration des Dateidienstes ändern. Für diese Anwendungen können keine einzelnen Dateien freigegeben werden, und eine Anwendung erhält nur dann Zugriff auf alle Dateien, wenn für sie keine einzelne Datei freigegeben ist.',
  otherApplication: 'Eine andere Anwendung',
  unknownFile: 'Datei ohne Namen',
  sharedWith: 'Freigegeben für {application}',
  since: 'seit {day}',
  revoke: 'Freigabe beenden…',
  revokeNamed: 'Freigabe beenden… {file} für {application}',
  revokeTitle: 'Freigabe von {file} für {application} beenden?',
  revokeEffect:
    '{application} verliert den Zugriff auf die Datei. Links, die die Anwendung schon erhalten hat, funktionieren bis zu ihrem Ablauf, höchstens 7 Tage lang. Die Datei bleibt erhalten, und Sie können sie erneut freigeben.',
  keepSharing: 'Freigabe beibehalten',
  revokeConfirm: 'Freigabe beenden',
  revoking: 'Wird beendet…',
  revoked: 'Nicht mehr freigegeben für {application}.',
  notRevoked: 'Konnte nicht beendet werden. Versuchen Sie es erneut.',
  notRevocable: 'Sie sind nicht berechtigt, die Freigabe dieser Datei zu beenden.',
  pages: 'Seiten der Liste',
  range: '{from}–{to} von {total}',
  previous: 'Zurück',
  next: 'Weiter',
  create: 'Datei freigeben',
  createOf: '{file} freigeben',
  chooseFile: 'Datei auswählen',
  chooseApplication: 'Anwendung auswählen',
  share: 'Freigeben',
  sharing: 'Wird freigegeben…',
  shared: 'Freigegeben für {application}.',
  noFile: 'Wählen Sie eine Datei aus.',
  noApplication: 'Wählen Sie eine Anwendung aus.',
  hasAll:
    '{application} hat schon Zugriff auf alle Dateien. Diese Datei muss daher nicht eigens freigegeben werden.',
  isShared: 'Die Datei ist schon für {application} freigegeben.',
  refused:
    'Nicht freigegeben: Der Dienst hat es abgelehnt. Für eine Anwendung mit Zugriff auf alle Dateien kann keine einzelne Datei freigegeben werden.',
  notShareable:
    'Nicht freigegeben: Sie sind nicht berechtigt, diese Datei freizugeben, oder sie ist nicht mehr verfügbar.',
  notShared: 'Konnte nicht freigegeben werden. Versuchen Sie es erneut.',
  support: 'Für den Support',
  reference: 'Referenz',
}

export const office: Messages['office'] = {
  label: 'Einrichtung',
  list: 'Liste der Einrichtungen anzeigen',
  levels: {
    any: 'einer Einrichtung',
    org: 'einer Organisation',
    department: 'einer Abteilung',
    sub_department: 'einer Unterabteilung',
  },
  hint: 'Die Nummer {what}, zum Beispiel {example}.',
  checking: 'Die Nummer wird geprüft…',
  unchecked: 'Die Nummer konnte nicht geprüft werden. Sie können sie trotzdem absenden.',
  missing: 'Geben Sie die Nummer {what} ein, zum Beispiel {example}.',
  notANumber:
    'Wählen Sie eine Einrichtung aus der Liste oder geben Sie ihre Nummer ein, zum Beispiel {example}.',
  incomplete:
    'Die Nummer einer Einrichtung hat 2, 6 oder 10 Ziffern, zum Beispiel 11, 11-0420 oder 11-0420-0010.',
  wrongLevel: '{key} ist die Nummer {found}. Geben Sie die Nummer {wanted} ein, zum Beispiel {example}.',
  unknown: 'Für {key} wurde keine Einrichtung gefunden. Prüfen Sie die Nummer.',
}

export const officeList: Messages['officeList'] = {
  start: 'Geben Sie die ersten beiden Ziffern ein. Gesucht wird nach der Nummer.',
  found: { one: '# Einrichtung.', other: '# Einrichtungen.' },
  foundMore: { other: '{shown} von # Einrichtungen. Geben Sie mehr Ziffern der Nummer ein.' },
  amongLoaded: {
    one: 'Namen werden nur in der # bisher geladenen Einrichtung gesucht. Gesucht wird nach der Nummer.',
    other: 'Namen werden nur in den # bisher geladenen Einrichtungen gesucht. Gesucht wird nach der Nummer.',
  },
  noName: 'Kein passender Name.',
  none: 'Keine Nummer einer Einrichtung beginnt mit {number}.',
  open: 'Untergeordnete Einrichtungen anzeigen',
}

export const formFields: Messages['formFields'] = {
  title: 'Es gibt ein Problem',
  inside: '„{label}“',
  question: '„{label}“',
  enter: 'Füllen Sie {label} aus.',
  choose: 'Wählen Sie bei {label} etwas aus.',
  answer: 'Beantworten Sie {label}.',
  mustBe: {
    text: '{label} muss ein Text sein.',
    date: '{label} muss ein gültiges Datum sein, zum Beispiel {example}.',
    url: '{label} muss eine Webadresse sein, zum Beispiel https://example.edu/.',
    email: '{label} muss eine E-Mail-Adresse sein, zum Beispiel name@example.edu.',
    number: '{label} muss eine ganze Zahl sein, zum Beispiel {example}.',
    currency: '{label} muss ein Betrag sein, zum Beispiel {example}.',
    no_answer: '{label} muss leer sein.',
    university_id: '{label} muss eine Universitätskennung sein, die nur aus Ziffern besteht.',
    org: '{label} muss die Nummer einer Einrichtung mit 2 Ziffern sein, zum Beispiel {example}.',
    department: '{label} muss die Nummer einer Einrichtung mit 6 Ziffern sein, zum Beispiel {example}.',
    sub_department: '{label} muss die Nummer einer Einrichtung mit 10 Ziffern sein, zum Beispiel {example}.',
    position: '{label} muss eine Stellennummer sein, die nur aus Ziffern besteht.',
  },
  realDate: '{label} muss ein gültiges Datum sein.',
  personNotFound: 'Keine Person hat diese Universitätskennung. Prüfen Sie {label}.',
  officeNotFound: 'Keine Einrichtung hat diese Nummer. Prüfen Sie {label}.',
  positionNotFound: 'Keine Stelle hat diese Nummer. Prüfen Sie {label}.',
  notFound: 'Der Dienst hat das nicht gefunden. Prüfen Sie {label}.',
  invalid: 'Der Dienst hat das nicht angenommen. Prüfen Sie {label}.',
  otherReason: 'Der Dienst hat {label} nicht angenommen: {reason}.',
  notHere:
    '{problem} Diese Seite enthält das Feld nicht. Wenden Sie sich an die für die Seite zuständige Stelle.',
}

export const formCopy: Messages['formCopy'] = {
  filled: 'Ausgefüllt aus dem Antrag {id}.',
  unsaved: 'Noch ist nichts gespeichert.',
  notCopied: 'Nicht übernommen:',
  emailText: 'Text in den E-Mails an genehmigende Personen',
  uploadAgain: 'Laden Sie diese Unterlagen noch einmal hoch:',
  documentsUnknown:
    'Unterlagen werden nicht übernommen, und die Liste derer des Antrags {id} konnte nicht gelesen werden.',
  empty: 'Formular leeren',
  ask: 'Das Formular aus dem Antrag {id} ausfüllen?',
  replaces: 'Das ersetzt, was Sie eingegeben haben.',
  startsNew: 'Damit beginnt ein neuer Antrag. Der Entwurf bleibt gespeichert.',
  fillIn: 'Ausfüllen',
  leave: 'So lassen',
  forbidden: 'Das Formular ist leer, weil Sie den Antrag {id} nicht lesen dürfen oder es ihn nicht gibt.',
  failed: 'Der Antrag {id} konnte nicht geladen werden. Das Formular ist deshalb nicht daraus ausgefüllt.',
}

export const formReview: Messages['formReview'] = {
  title: 'Prüfen Sie Ihre Angaben, bevor Sie sie einreichen',
  notEntered: 'Keine Angabe',
  yes: 'Ja',
  no: 'Nein',
  change: 'Ändern',
  changeOf: 'Ändern: {label}',
  effect:
    'Mit dem Einreichen beginnt der Umlauf. Die ersten genehmigenden Personen erhalten den Antrag in ihrem Eingang.',
  submit: 'Einreichen',
  back: 'Zurück zum Formular',
}

export const form: Messages['form'] = {
  label: 'Formular',
  saving: 'Wird gespeichert…',
  submitting: 'Wird eingereicht…',
  saved: 'Um {time} als Antrag {id} gespeichert.',
  submitted: 'Eingereicht um {time}.',
  kept: 'Um {time} in diesem Browser aufbewahrt. Noch nicht gespeichert.',
  notKept:
    'Noch nicht gespeichert. Dieser Browser kann Ihre Eingaben nicht aufbewahren. Speichern Sie daher oft.',
  unreadable: 'Dieser Antrag kann gerade nicht gelesen werden.',
  saveForDocuments: 'Speichern und Unterlagen hinzufügen',
  documentsHint: 'Sie können Unterlagen hinzufügen, sobald der Antrag gespeichert ist.',
  signedOut:
    'Sie sind abgemeldet. Melden Sie sich in einem anderen Tab an und versuchen Sie es dann erneut. Ihre Eingaben bleiben hier erhalten.',
  incomplete:
    'Ein Teil dieser Seite konnte nicht geladen werden. Versuchen Sie es erneut oder laden Sie die Seite neu.',
  notServed:
    '<wf-form> kann Formular {id} nicht verwenden, weil der Proxy es nicht bereitstellt. Prüfen Sie form-id.',
}

export const formHints: Messages['formHints'] = {
  restored: 'Wiederhergestellt: Ihre Eingaben bis {time}. Sie sind noch nicht gespeichert.',
  discard: 'Verwerfen',
  chooseAgain: 'Browser können keine Dateien aufbewahren. Wählen Sie erneut aus: {files}.',
  continued: 'Sie arbeiten an dem Entwurf weiter, den Sie als Antrag {id} gespeichert haben.',
  startNew: 'Neuen Antrag beginnen',
  submittedAs: 'Sie haben dies um {time} als Antrag {id} eingereicht.',
  mailsChange: 'Wenn Sie eine Änderung speichern, erhalten diese Personen eine E-Mail darüber: {names}.',
  mailsAll:
    'Wenn Sie speichern, erhalten alle genehmigenden Personen eine E-Mail darüber. Der Antrag liegt jetzt bei: {names}.',
  readOnly: 'Sie können diesen Antrag ansehen, aber nicht ändern.',
  routed:
    'Dieser Antrag ist schon im Umlauf. Änderungen werden gespeichert, aber er wird nicht erneut eingereicht.',
  resubmit:
    'Ein Antrag, der an Sie zurückgegeben wurde, kann nur im Dienst selbst erneut eingereicht werden.',
  submitElsewhere: 'Dieser Entwurf kann nur im Dienst selbst eingereicht werden.',
  linkAgain: 'Im Dienst erneut einreichen',
  linkFirst: 'Im Dienst einreichen',
}

export const formOutcome: Messages['formOutcome'] = {
  notSaved: 'Nicht gespeichert.',
  notSubmitted: 'Gespeichert, aber nicht eingereicht.',
  forbidden: 'Dazu sind Sie nicht berechtigt. Fragen Sie die für das Formular zuständige Stelle.',
  refused: 'Der Dienst hat es abgelehnt.',
  refusedHere: 'Diese Website hat es abgelehnt.',
  limited: 'Sie haben eine Grenze dieser Website erreicht. Versuchen Sie es nach {time} erneut.',
  unavailable: 'Der Dienst war nicht erreichbar. Versuchen Sie es erneut.',
  sentElsewhere: 'Dieser Antrag wird gerade aus einem anderen Tab gesendet. Sehen Sie zuerst dort nach.',
  keptHere: 'In diesem Browser aufbewahrt.',
  alsoEnter: 'Um es beim Dienst zu speichern, füllen Sie auch aus:',
  elsewhere: 'Um an einem anderen Computer weiterzuarbeiten, öffnen Sie:',
  fileNotSent:
    'Diese Seite kann keine Dateien aus „{label}“ senden. Entfernen Sie die Datei, oder wenden Sie sich an die Verantwortlichen der Seite.',
  fileWaits:
    'Wird hochgeladen, wenn Sie speichern oder einreichen. Dieser Browser kann die Datei bis dahin nicht aufbewahren: Lassen Sie die Seite geöffnet.',
  unknownSave: 'Es kam keine Bestätigung an. Ob gespeichert wurde, ist daher ungewiss.',
  unknownSubmit:
    'Der Antrag ist gespeichert, aber es kam keine Bestätigung an. Ob er eingereicht wurde, ist daher ungewiss.',
  checkAgain: 'Erneut prüfen',
  startAgain: 'Erneut in Umlauf geben',
  startOver: 'Als neuen Entwurf speichern',
  startOverHint: 'Falls es den ersten Entwurf gibt, bleibt er im Dienst, und niemand erhält ihn.',
  notUploaded: '„{file}“ wurde nicht hochgeladen. Versuchen Sie es erneut oder entfernen Sie die Datei.',
  conflicts: 'Jemand anderes hat das auch geändert. Wählen Sie, was erhalten bleiben soll.',
  mine: 'Ihre Eingabe',
  theirs: 'Jetzt gespeichert',
  empty: 'Nichts',
  keepChosen: 'Diese Werte speichern',
  cancel: 'Abbrechen',
}

export const overrides: Messages['overrides'] = {
  label: 'Vertretungen',
  empty: 'Bei diesem Antrag wird niemand vertreten.',
  noRight:
    'Sie sind nicht berechtigt, bei diesem Antrag eine Vertretung einzurichten. Wenden Sie sich an die Betreiber dieser Website.',
  reason: 'Interessenkonflikt',
  pair: '{replacement} handelt für {subject}',
  change: '{subject} kann diesen Antrag nicht sehen.',
  delegate: '{subject} kann diesen Antrag ansehen, aber nicht unterzeichnen.',
  otherType: 'Die genaue Wirkung ist dieser Seite nicht bekannt.',
  instead: 'Stattdessen unterzeichnet {replacement}.',
  inForce: 'In Kraft: Der Antrag liegt im Eingang von {replacement} und nicht in dem von {subject}.',
  notYet: 'Noch nicht in Kraft: Der Antrag liegt noch im Eingang von {subject}.',
  later: 'Wird wirksam, wenn der Antrag {subject} erreichen würde.',
  unproven: 'Ob die Vertretung in Kraft ist, konnte nicht geprüft werden.',
  unknown: 'Universitätskennung {id}',
  add: 'Vertretung einrichten',
  end: 'Beenden',
  endFor: 'Beenden: {subject}',
  title: 'Bei diesem Antrag jemanden vertreten lassen?',
  intro: 'Verwenden Sie das, wenn jemand auf dem Laufweg einen Interessenkonflikt hat.',
  subject: 'Wer darf nicht entscheiden?',
  replacement: 'Wer unterzeichnet stattdessen?',
  personHint: 'Universitätskennung',
  personHintWithSearch: 'Name oder Universitätskennung',
  unknownPerson:
    'Der Name zu {id} konnte nicht abgerufen werden. Vergewissern Sie sich, dass die Universitätskennung stimmt.',
  notFound: 'Es wurde niemand gefunden. Prüfen Sie den Namen oder geben Sie die Universitätskennung ein.',
  several: 'Wählen Sie die Person aus:',
  lookupFailed: 'Das Verzeichnis war nicht erreichbar. Geben Sie die Universitätskennung ein.',
  effect: 'Was darf die Person noch?',
  delegateChoice: 'Den Antrag ansehen, aber nicht unterzeichnen',
  changeChoice: 'Nichts: Sie kann ihn nicht mehr sehen',
  next: 'Weiter',
  back: 'Zurück',
  cancel: 'Abbrechen',
  busy: 'Einen Moment…',
  confirmTitle: '{subject} vertreten lassen?',
  confirm: '{subject} vertreten lassen',
  named: '{name} ({id})',
  endTitle: 'Vertretung von {subject} beenden?',
  endEffect:
    '{subject} erhält alle Rechte an diesem Antrag zurück. {replacement} unterzeichnet nicht mehr stellvertretend.',
  keep: 'Beibehalten',
  problems: {
    subjectMissing: 'Geben Sie ein, wer nicht entscheiden darf.',
    replacementMissing: 'Geben Sie ein, wer stattdessen unterzeichnet.',
    typeMissing: 'Wählen Sie aus, was die Person noch darf.',
    same: 'Niemand kann sich selbst vertreten. Wählen Sie eine andere Person.',
    self: 'Sie können keine Vertretung einrichten, die Sie selbst betrifft. Bitten Sie eine andere berechtigte Person darum.',
    active: 'Diese Person wird schon vertreten. Beenden Sie zuerst diese Vertretung.',
    initiator: 'Diese Person hat den Antrag gestellt. Wählen Sie zum Unterzeichnen eine andere.',
    replaced: 'Auch diese Person wird bei diesem Antrag vertreten. Wählen Sie die Person, die sie vertritt.',
  },
  forbidden: 'Dazu sind Sie nicht berechtigt. Es wurde nichts geändert.',
  refused: 'Das wurde abgelehnt. Es wurde nichts geändert.',
  uncertain:
    'Die Antwort ging verloren. Ob es ausgeführt wurde, ist daher ungewiss. Schließen Sie dieses Fenster und prüfen Sie die Liste.',
  signedOut: 'Sie sind abgemeldet. Es wurde nichts geändert.',
  made: '{replacement} handelt jetzt für {subject}.',
  ended: '{subject} entscheidet wieder selbst.',
}

export const route: Messages['route'] = {
  label: 'Laufweg',
  usual: 'Der übliche Laufweg von {key}',
  usualHint: 'Das Formular kann weitere Stationen hinzufügen.',
  optOut: 'Der Antrag überspringt diese Einrichtung, wenn das Formular das erlaubt.',
  changed: {
    one: 'Der übliche Laufweg von {key}: # Station.',
    other: 'Der übliche Laufweg von {key}: # Stationen.',
  },
  chooseOffice: 'Wählen Sie eine Einrichtung, um ihren üblichen Laufweg zu sehen.',
  chooseSubType:
    'Der Laufweg kann von der Art des Antrags abhängen. Wählen Sie die Art aus, um ihn zu sehen.',
  noRoute: 'Für {key} wurde kein üblicher Laufweg gefunden. Sie können den Antrag trotzdem einreichen.',
  refused: 'Der Laufweg konnte nicht abgerufen werden. Sie können den Antrag trotzdem einreichen.',
  stop: { other: 'Station #' },
  signed: 'hat unterzeichnet',
  viewers: 'Keine Unterschrift erforderlich',
  nobody: 'Zurzeit niemand',
  atPresent: 'zurzeit in dieser Funktion',
  own: 'An der Station „{stop}“ genehmigen Sie Ihren eigenen Antrag.',
  initiatorApproves: '{name} hat diesen Antrag gestellt und genehmigt ihn an der Station „{stop}“.',
  twice: '{name} muss mehr als einmal genehmigen: {stops}.',
  nobodyAt:
    'An der Station „{stop}“ ist niemand eingetragen. Fragen Sie die Einrichtung, bevor Sie den Antrag einreichen.',
}

export const savedRoute: Messages['savedRoute'] = {
  savedAt: 'Berechnet aus den Daten, die um {time} gespeichert wurden',
  calculatedAt: 'Um {time} aus den gespeicherten Daten berechnet',
  actual: 'Der bisherige und der noch ausstehende Laufweg',
  outdated: 'Die Daten haben sich seitdem geändert. Speichern Sie sie, um den Laufweg neu zu berechnen.',
  empty: 'Der berechnete Laufweg hat keine weiteren Stationen.',
  overrides: {
    DELEGATE:
      'Eine Vertretung ist in Kraft: {replacement} unterzeichnet anstelle von {subject}. Diese Person kann den Antrag ansehen, aber nicht unterzeichnen.',
    CHANGE:
      'Eine Vertretung ist in Kraft: {replacement} unterzeichnet anstelle von {subject}. Diese Person kann den Antrag nicht sehen.',
  },
  asPredicted: 'Wie am {time} vor dem Einreichen berechnet.',
  differs: 'Weicht von der Berechnung am {time} vor dem Einreichen ab:',
  added: '„{stop}“ war nicht vorgesehen.',
  dropped: '„{stop}“ war vorgesehen.',
  replaced: '„{stop}“: vorgesehen {before}, tatsächlich {now}.',
}

export const refusals: Messages['refusals'] = {
  emptyFile: 'Die Datei ist leer. Wählen Sie eine andere Datei.',
  extensionNotAllowed:
    'Dateien dieses Typs können hier nicht hochgeladen werden. Wählen Sie eine Datei mit einem dieser Typen: {types}.',
  pdfRequired: 'Diese Anlage muss eine PDF-Datei sein. Wählen Sie eine PDF-Datei.',
  hiddenProgram: 'Die Datei ist ein Programm mit einer anderen Dateiendung. Wählen Sie eine andere Datei.',
  passwordProtected:
    'Die Datei kann nicht gelesen werden. Falls sie ein Kennwort hat, entfernen Sie es und wählen Sie die Datei erneut aus.',
  contentMismatch:
    'Der Inhalt der Datei passt nicht zu ihrem Namen. Speichern Sie die Datei im passenden Format oder benennen Sie sie um, und wählen Sie sie erneut aus.',
  harmfulContent: 'Die Prüfung hat schädliche Inhalte in der Datei gefunden. Wählen Sie eine andere Datei.',
}

export const formList: Messages['formList'] = {
  conditions: 'Welche Anträge angezeigt werden',
  state: 'Status',
  allStates: 'Alle Status',
  days: 'Tage ohne Änderung, mindestens',
  stop: 'Station',
  allStops: 'Alle Stationen',
  office: 'Einrichtung',
  notANumber: 'Geben Sie die Nummer einer Einrichtung ein, zum Beispiel {example}.',
  all: 'Alle anzeigen',
  shown: 'Angezeigte Anträge: {count}',
  atStop: 'Station: {stop}',
  ofOffice: 'Einrichtung: {office}',
  empty: 'Diese Seite kennt keinen Antrag dieses Formulars, den Sie sehen dürfen.',
  noneFits: 'Diese Seite kennt keinen Antrag, der diese Bedingungen erfüllt und den Sie sehen dürfen.',
  forbidden:
    'Auf dieser Website dürfen Sie die Anträge dieses Formulars nicht auflisten. Wenden Sie sich an ihren Betreiber.',
}

export const listExtras: Messages['listExtras'] = {
  remind: 'Erinnern',
  remindNamed: 'Erinnern: {request}',
  reminded: 'Zuletzt erinnert: {when}, {count} von {limit}',
  lastUncertain: 'Es ist nicht bekannt, ob die letzte Erinnerung gesendet wurde.',
  signed: 'Sie haben dies unterschrieben',
  submitted: 'Dies wurde eingereicht',
  elsewhere: 'Dies wartet nicht mehr auf Sie',
  hidden: 'Sie dürfen dies nicht mehr einsehen',
  gap: 'Anträge, die zwischen {from} und {to} begonnen wurden, fehlen möglicherweise.',
  limited: 'Anträge, die auf eine Einrichtung warten, fehlen möglicherweise.',
}

export const list: Messages['list'] = {
  label: 'Anträge',
  views: { mine: 'Meine Anträge', waiting: 'Wartet auf mich' },
  groups: {
    drafts: 'Noch nicht eingereicht',
    submitted: 'Eingereicht',
    toSign: 'Benötigt Ihre Unterschrift',
    toRead: 'Zum Lesen oder Bearbeiten',
    all: 'Anträge',
  },
  request: 'Antrag',
  from: 'Von {name}',
  started: 'Begonnen am {day}',
  withdrawn: 'Zurückgezogen, nicht eingereicht',
  since: 'Seit {day}',
  sign: 'Unterschreiben',
  signNamed: 'Unterschreiben: {request}',
  edit: 'Bearbeiten',
  editNamed: 'Bearbeiten: {request}',
  copy: 'Wiederverwenden',
  copyNamed: 'Wiederverwenden: {request}',
  new: 'Neue Anträge anzeigen: {count}',
  gone: 'Nicht mehr in dieser Liste',
  more: 'Mehr anzeigen',
  empty: {
    mine: 'Diese Seite kennt keinen Antrag von Ihnen.',
    waiting: 'Nichts, was diese Seite kennt, wartet auf Sie.',
  },
  knownSince: 'Diese Seite kennt Anträge seit dem {day}.',
  checked: 'Zuletzt nachgesehen: {time}.',
  notChecked: 'Die Suche ist noch nicht abgeschlossen.',
  partial: 'Einige Anträge konnten nicht geprüft werden und fehlen.',
  inbox: 'Eingang des Workflow-Dienstes öffnen',
  off: 'Diese Website führt keine Listen von Anträgen.',
}

export const changes: Messages['changes'] = {
  notDone: 'Es wurde nichts geändert.',
  mayBeDone: 'Es kann sein, dass es trotzdem geschehen ist. Schließen Sie dies und sehen Sie nach.',
}

export const reminder: Messages['reminder'] = {
  title: 'An diesen Antrag erinnern?',
  effect:
    'Der Dienst schickt allen, die über diesen Antrag entscheiden, eine E-Mail, vielleicht auch denen, die schon unterzeichnet haben. Am Antrag ändert sich nichts.',
  note: 'Notiz (freiwillig)',
  noteLeft: { one: 'Noch # Zeichen', other: 'Noch # Zeichen' },
  noteProblems: {
    length: {
      one: 'Die Notiz ist um # Zeichen zu lang.',
      other: 'Die Notiz ist um # Zeichen zu lang.',
    },
    address: 'Eine Notiz darf keine Adressen enthalten: Entfernen Sie „://“, „www.“ und „@“.',
    control: 'Die Notiz enthält unsichtbare Steuerzeichen. Tippen Sie sie, statt sie einzufügen.',
  },
  text: 'Die E-Mail enthält diesen Text:',
  cancel: 'Abbrechen',
  close: 'Schließen',
  send: 'Erinnerung senden',
  busy: 'Einen Moment…',
  sent: 'Der Dienst wurde gebeten, die E-Mail zu senden.',
  refusals: {
    wait: 'Sie haben diesen Antrag oder eine Erinnerung erst vor Kurzem erhalten.',
    limit: 'Sie haben so viele Erinnerungen erhalten, wie diese Website zulässt.',
    day: 'Sie haben so viele Erinnerungen gesendet, wie diese Website an einem Tag zulässt.',
    nobody: 'Dieser Antrag wartet auf niemanden sonst.',
    stopped:
      'Diese Website hat Erinnerungen für dieses Formular angehalten. Wenden Sie sich an die Betreiber.',
  },
  notPossible: 'Zurzeit ist keine Erinnerung möglich.',
  from: 'Die nächste ist ab {time} möglich.',
  noteRefused: 'Diese Website nimmt diese Notiz nicht an. Es wurde keine Erinnerung gesendet.',
  forbidden: 'Sie dürfen an diesen Antrag nicht erinnern.',
  changed: 'Dieser Antrag hat sich inzwischen geändert. Es wurde keine Erinnerung gesendet.',
  refused:
    'Der Dienst hat das nicht angenommen. Es wurde keine E-Mail gesendet. Wenden Sie sich an die Verantwortlichen des Formulars.',
  uncertain:
    'Die Antwort ging verloren. Die Erinnerung wurde vielleicht gesendet. Sie wird nicht noch einmal gesendet.',
}

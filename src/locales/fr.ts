import type { Messages } from './messages.ts'

export const language: string = 'fr'

export const common: Messages['common'] = {
  tryAgain: 'Réessayer',
  trying: 'Nouvelle tentative…',
  stillUnavailable: 'Toujours indisponible.',
  upToDate: 'De nouveau à jour.',
  more: { one: 'Et # autre.', other: 'Et # autres.' },
  stale: 'Ces informations ne sont peut-être plus à jour. La dernière version n’a pas pu être chargée.',
  knownAt: 'Informations connues à {time}. Nouvelle tentative en cours.',
  mayBeOld: 'Peut-être pas à jour.',
  between:
    'Un serveur entre cette page et le service a refusé l’accès ({status}). Signalez-le au responsable de ce site.',
  loading: 'Chargement…',
  forbidden: 'Vous n’avez pas accès à cette demande.',
  missing: 'Cette demande n’existe pas.',
  signedOut: 'Votre session est fermée. Connectez-vous, puis revenez sur cette page.',
  isSignedOut: 'Votre session est fermée.',
  signIn: 'Se connecter',
  separator: ', ',
  labelled: '{label} : {text}',
  unavailable: 'Le chargement a échoué.',
  noProxy: 'Aucun proxy Routeslip n’a été trouvé à l’adresse {endpoint}.',
  leftOut: { one: '# élément n’a pas pu être lu.', other: '# éléments n’ont pas pu être lus.' },
  someone: 'Quelqu’un',
  permissions: {
    SIGNATURE_REQUIRED: 'doit signer',
    SIGNATURE_PERMITTED: 'peut signer',
    VIEW_AND_EDIT: 'peut modifier',
    VIEW_ONLY: 'peut consulter',
  },
  notConfigured: '<{tag}> a besoin de {missing} pour afficher quelque chose.',
  foreignEndpoint:
    '<{tag}> ne peut pas utiliser un proxy à l’adresse {origin}. Ajoutez-la à "origins" dans configure() ou dans le script de configuration de la page.',
}

export const packageStatus: Messages['packageStatus'] = {
  label: 'État',
  states: {
    PRE_ROUTING: 'Hors circuit',
    DRAFT: 'Brouillon',
    ROUTING: 'En circuit',
    COMPLETE: 'Terminée',
    VOID: 'Invalidée',
  },
  stateChanged: 'Nouvel état de la demande : {state}.',
  // The colon avoids an elision before names that begin with a vowel.
  waitingFor: 'En attente de :',
  waitingUnknown: 'Impossible de savoir qui a la demande actuellement.',
  mustSubmit: 'doit envoyer la demande',
  mustResubmit: 'doit corriger la demande et l’envoyer de nouveau',
  returnedBy: 'Renvoyée par',
  returned: 'Renvoyée. Dernier commentaire de',
  removedBy: 'Retirée du circuit par {name}',
  voidedBy: 'Invalidée par {name}',
  approvedOn: 'Approuvée le {day}',
  completedOn: 'Terminée le {day}',
  notStarted: 'Le circuit n’a pas encore commencé',
  waitingForYou: 'En attente de votre intervention',
  you: '{name} (vous)',
  editElsewhere: 'Modifiez la demande et envoyez-la depuis la page où vous l’avez remplie.',
  nobody: 'personne',
  initiator: 'Demande de',
  routingDate: 'Début',
  actionDate: 'Dernière action',
  details: 'Détails',
  voidReason: 'Motif',
  voidReasons: {
    DUPLICATE_TRANSACTION: 'Demande en double',
    INCORRECT_FORM: 'Mauvais formulaire',
    TRANSACTION_CANCELLED: 'Demande abandonnée',
    TRANSACTION_DENIED: 'Demande refusée',
  },
  since: 'depuis le',
  comments: { one: '# commentaire', other: '# commentaires' },
  attachments: { one: '# pièce jointe', other: '# pièces jointes' },
  test: 'Essai',
  onFile: 'Au dossier',
  testHint: 'Cette demande se trouve dans l’environnement d’essai.',
  notAvailable: 'Indisponible',
  notLoaded: 'Non chargé',
  sign: 'Signer',
  edit: 'Modifier',
  editAndSubmit: 'Modifier et envoyer',
  actions: 'Actions',
  unchecked: 'Impossible de vérifier s’il manque quelque chose.',
  actionsFailed: 'Cette action n’a pas pu être ouverte.',
  restarted: 'Le circuit a recommencé.',
  getPdf: 'Télécharger le PDF',
  routePackage: 'Lancer le circuit',
  reinitiatePackage: 'Relancer le circuit',
  returnPackage: 'Renvoyer à une personne',
  returnToInitiator: 'Renvoyer pour correction',
  restartPackage: 'Recommencer le circuit',
  unvoidPackage: 'Rétablir',
  removePackage: 'Retirer du circuit',
  withdrawPackage: 'Rappeler',
  voidPackage: 'Invalider',
}

export const packageActions: Messages['packageActions'] = {
  titles: {
    routePackage: 'Lancer le circuit de cette demande ?',
    reinitiatePackage: 'Relancer le circuit de cette demande ?',
    returnPackage: 'Renvoyer cette demande à une personne ?',
    returnToInitiator: 'Renvoyer cette demande pour correction ?',
    restartPackage: 'Recommencer le circuit ?',
    unvoidPackage: 'Rétablir cette demande ?',
    removePackage: 'Retirer cette demande du circuit ?',
    withdrawPackage: 'Rappeler cette demande ?',
    voidPackage: 'Invalider cette demande ?',
    getPdf: 'Télécharger cette demande au format PDF ?',
  },
  consequences: {
    routePackage:
      'Le circuit commence. Les premières personnes à l’approuver la reçoivent dans leur corbeille.',
    reinitiatePackage:
      'Le circuit recommence à la première étape, et l’historique l’indique. Ce n’est possible que si la demande a été retirée du circuit. Si elle n’y a jamais été, lancez-le.',
    returnPackage:
      'Une personne de plus la reçoit dans sa corbeille, à la fin du circuit. Elle sera de nouveau terminée après sa signature.',
    returnToInitiator:
      'Elle redevient un brouillon et disparaît de toutes les corbeilles. La personne à l’origine de la demande devra l’envoyer de nouveau, et toutes les signatures seront à refaire.',
    restartPackage: 'Le circuit recommence à la première étape. Toutes les signatures seront à refaire.',
    unvoidPackage: 'Elle retrouve l’état qu’elle avait avant d’être invalidée.',
    removePackage:
      'Elle disparaît de toutes les corbeilles et de l’historique. Elle n’est pas supprimée : les personnes qui y ont accès peuvent encore la retrouver.',
    withdrawPackage:
      'Elle disparaît de toutes les corbeilles, et personne ne reçoit d’e-mail. Vous pouvez ensuite la corriger et l’envoyer de nouveau. Le circuit commence alors à la première étape.',
    voidPackage:
      'Le circuit s’arrête. Elle disparaît de toutes les corbeilles et plus personne ne pourra la signer.',
    getPdf: 'Le PDF contient le formulaire envoyé. Choisissez ce qu’il doit contenir d’autre.',
  },
  voidQuestion: 'Pourquoi voulez-vous l’invalider ?',
  voidReasonMissing: 'Choisissez un motif.',
  univid: 'Personne',
  unividMissing: 'Saisissez un identifiant universitaire de 12 chiffres au maximum.',
  comment: 'Commentaire',
  commentHint:
    'La personne à l’origine de la demande le reçoit par courriel. Il apparaît aussi avec la demande.',
  commentMissing: 'Indiquez ce que la personne à l’origine de la demande doit faire.',
  includeRouting: 'Inclure l’historique du circuit',
  mergeAttachments: 'Inclure les pièces jointes',
  leftOut: 'Non incluses, car ce ne sont pas des fichiers PDF :',
  leftOutUnknown:
    'Seules les pièces jointes au format PDF sont incluses. La liste des autres n’a pas pu être chargée.',
  cancel: 'Annuler',
  keep: 'Ne rien changer',
  busy: 'Un instant…',
  overtaken: 'La demande a changé. Son état est maintenant : {state}. Cette action n’est plus possible.',
  forbidden: 'Vous ne pouvez plus faire cela. Rien n’a été modifié.',
  conflict: 'Le service ne le permet pas dans l’état actuel de la demande. Rien n’a été modifié.',
  refused: 'Le service a refusé. Rien n’a été modifié. Vérifiez votre saisie.',
  conflictHere: 'Ce site ne le permet pas dans l’état actuel de la demande. Rien n’a été modifié.',
  refusedHere: 'Ce site a refusé et n’a rien transmis au service. Vérifiez votre saisie.',
  uncertain:
    'La réponse s’est perdue : l’action a peut-être eu lieu, peut-être pas. Fermez cette fenêtre et vérifiez l’état.',
  restartUncertain:
    'La réponse s’est perdue, et l’état n’indique pas si le circuit a recommencé. Consultez l’historique avant de réessayer.',
  withdrawn: 'Vous avez rappelé la demande',
  lost: '{name} a signé au même moment. Cette signature est perdue.',
  lostUnknown: 'Il n’a pas été possible de vérifier si quelqu’un a signé au même moment.',
  close: 'Fermer',
}

export const missing: Messages['missing'] = {
  release: 'la reprise à l’étape « {stop} »',
  held: 'Une application liée au formulaire bloque le circuit à cette étape. Si l’attente se prolonge, adressez-vous aux responsables du formulaire.',
  releasers:
    'Cette application peut autoriser la reprise, ainsi que les personnes auxquelles ce site le permet.',
  lacksDocument: {
    one: 'Document obligatoire. Il doit être importé par la personne à l’origine de la demande ou par une personne chargée de l’approuver.',
    other:
      'Documents obligatoires. Ils doivent être importés par la personne à l’origine de la demande ou par une personne chargée de l’approuver.',
  },
  unknownReason:
    'La demande n’est dans aucune corbeille et le motif n’est pas connu ici. Adressez-vous aux responsables du formulaire.',
  signature: 'Vous pouvez signer cette demande.',
  refusal: {
    one: 'Le service peut refuser votre signature tant que ceci n’a pas été importé : {titles}.',
    other: 'Le service peut refuser votre signature tant que ceci n’a pas été importé : {titles}.',
  },
  completion: 'À fournir encore avant la dernière signature : {titles}.',
  nobodyAt: 'Personne n’est désigné à l’étape « {stop} ». Adressez-vous aux responsables du formulaire.',
  unchecked: {
    documents: 'Impossible de vérifier s’il manque un document.',
    route: 'Impossible de vérifier la suite du circuit.',
    pause: 'Impossible de vérifier si une application bloque le circuit.',
  },
}

export const pause: Messages['pause'] = {
  since: 'En pause depuis le',
  sinceAt: 'En pause à {stop} depuis le',
  stop: 'l’étape {number}',
  namedStop: 'l’étape {number} ({name})',
  paused: 'En pause',
  pausedAt: 'En pause à {stop}',
  release: 'Laisser continuer',
  title: 'Laisser cette demande continuer ?',
  consequence:
    'Le circuit reprend à cette étape et les personnes suivantes reçoivent la demande. L’application qui l’a mise en pause n’a peut-être pas terminé : en cas de doute, adressez-vous d’abord à ses responsables.',
  reason: 'Motif',
  reasonHint: 'Le motif est consigné avec votre nom dans le journal de ce site.',
  reasonMissing: 'Indiquez pourquoi la demande peut continuer.',
  keep: 'Maintenir la pause',
  busy: 'Un instant…',
  continues: 'La demande continue.',
  waits:
    'La pause a été levée, mais la demande n’est encore dans aucune corbeille. Vérifiez dans un instant : il faut peut-être un peu de temps, ou elle est de nouveau en pause.',
  signedOut:
    'Votre session est fermée. Connectez-vous et revenez sur cette page. La demande est toujours en pause.',
  forbidden: 'Vous n’en avez pas l’autorisation. La demande est toujours en pause.',
  outdated: 'Entre-temps, cette pause a pris fin ou a changé. Fermez cette fenêtre et vérifiez la demande.',
  refused: 'L’action a été refusée. La demande est toujours en pause.',
  uncertain:
    'La réponse s’est perdue : la demande continue peut-être, peut-être pas. Fermez cette fenêtre et vérifiez-la.',
}

export const history: Messages['history'] = {
  label: 'Historique du circuit',
  announcement: '{event}.',
  empty: 'Rien ne s’est encore passé.',
  waiting: 'En attente de :',
  stop: { other: 'Étape #' },
  since: 'depuis le',
  after: 'au bout de {duration}',
  heldBy: 'chez {name}',
  overrides: { DELEGATE: 'par délégation', CHANGE: 'par remplacement' },
  verbs: {
    initiation: 'a lancé le circuit',
    received: 'l’a reçue',
    signed: 'a signé',
    autoSigned: 'a signé automatiquement',
    passed: 'n’a pas signé',
    voided: 'a signé (signature invalidée)',
    void: 'l’a invalidée',
    unvoid: 'l’a rétablie',
    remove: 'l’a retirée du circuit',
    re_initiate: 'a relancé le circuit',
    office_opt_out: 'a choisi de ne pas participer',
    notification: 'a reçu une notification',
    notification_unlock: 'a laissé le circuit continuer',
  },
  application: 'Une application',
  complete: 'Le circuit est terminé',
  earlier: { one: 'Afficher # plus ancien', other: 'Afficher # plus anciens' },
  all: { other: 'Afficher tous les plus anciens (#)' },
  shown: '{shown} sur {total} affichés.',
  jump: 'Aller au moment présent',
  future: { one: 'Encore à venir (# étape)', other: 'Encore à venir (# étapes)' },
  futureFailed: 'Les étapes à venir n’ont pas pu être chargées.',
  packageId: 'Demande {id}',
  invalid: '<{tag}> a besoin d’une liste d’événements ou de son JSON. La valeur indiquée n’est pas valide.',
}

export const comments: Messages['comments'] = {
  list: 'Commentaires',
  empty: 'Aucun commentaire pour l’instant.',
  initiator: 'À l’origine de la demande',
  approver: 'Approbation, étape {number}',
  new: 'Nouveau',
  approversOnly: 'Réservé à l’approbation',
  inactive: 'Inactif',
  more: 'Afficher plus',
  less: 'Afficher moins',
  search: 'Rechercher dans les commentaires',
  found: '{found} sur {total}',
  none: 'Aucun commentaire ne correspond.',
  hideInactive: { other: 'Masquer les inactifs (#)' },
  addedBy: '1 nouveau commentaire de {name}.',
  added: { one: '# nouveau commentaire.', other: '# nouveaux commentaires.' },
}

export const attachments: Messages['attachments'] = {
  list: 'Pièces jointes',
  empty: 'Ce formulaire n’a pas de pièces jointes.',
  required: {
    one: '{there} sur # document obligatoire',
    other: '{there} sur # documents obligatoires',
  },
  beforeRouting: 'À fournir avant le circuit',
  beforeCompletion: 'À fournir avant la fin du circuit',
  optional: 'Facultatif',
  pdf: 'PDF uniquement',
  missing: 'Manquant',
  later: 'Vous pourrez l’ajouter une fois le circuit lancé.',
  otherTitle: 'Autres pièces jointes',
  untitled: 'Pièce jointe',
  add: 'Ajouter un fichier',
  hint: 'Déposez ou collez des fichiers sur un élément · {size} au maximum chacun',
  description: 'Description (facultative)',
  final: 'Après l’importation, vous ne pourrez plus modifier ni supprimer le fichier ou sa description.',
  upload: 'Importer',
  processing: 'Importé, traitement en cours',
  wanted: {
    one: 'Importez le document obligatoire : {titles}.',
    other: 'Importez les documents obligatoires : {titles}.',
  },
  unfinished: {
    one: 'Terminez ou annulez d’abord # importation.',
    other: 'Terminez ou annulez d’abord # importations.',
  },
}

export const files: Messages['files'] = {
  choose: 'Choisir des fichiers',
  chooseOne: 'Choisir un fichier',
  chooseFolder: 'Choisir un dossier',
  drop: 'ou déposer ou coller ici',
  waiting: 'En attente d’importation',
  progress: '{percent} ({sent} sur {total})',
  timeLeft: 'temps restant : {duration}',
  progressLabel: 'Importation de {name}',
  sending: 'Importation en cours…',
  finishing: 'Transmis. En attente de confirmation…',
  checking: 'Vérification de l’arrivée du fichier…',
  cancelled: 'Importation annulée.',
  stalled: 'L’importation est bloquée. Patientez, réessayez ou annulez.',
  offline:
    'En pause : vous êtes hors ligne. L’importation recommencera dès que vous serez de nouveau en ligne.',
  signedOut:
    'En pause : votre session est fermée. Connectez-vous dans un autre onglet et l’importation recommencera.',
  storedAnnouncement: '{name} a été importé.',
  announcement: '{name} : {what}',
  uploaded: { one: '# importé', other: '# importés' },
  failed: { other: '# en échec' },
  uploading: { other: '# en cours d’importation' },
  paused: { other: '# en pause' },
  outcome: '{counts} : {names}',
  named: '{action} : {name}',
  cancel: 'Annuler',
  resume: 'Continuer',
  tryAgain: 'Réessayer',
  remove: 'Retirer',
  notSent: 'Non importé : la connexion ou le service a échoué.',
  uncertain:
    'Aucune confirmation n’est arrivée : le fichier est peut-être importé, peut-être pas. Réessayez pour en avoir le cœur net.',
  unconfirmed:
    'Il n’est pas certain que le fichier ait été importé. Vérifiez avant de réessayer : une nouvelle tentative pourrait l’enregistrer deux fois.',
  forbidden: 'Non importé : vous n’avez pas l’autorisation d’importer des fichiers ici.',
  refused: 'Non importé : le service a refusé le fichier.',
  refusedHere: 'Non importé : ce site n’accepte pas le fichier.',
  refusedBetween:
    'Non importé : un serveur situé entre cette page et le service a refusé le fichier. Prévenez le responsable de ce site.',
  uncertainBetween:
    'Un serveur situé entre cette page et le service a refusé l’importation : on ne sait pas si le fichier a été importé. Réessayez pour en être sûr, ou prévenez le responsable de ce site.',
  tooLargeHere: 'Non importé : le fichier est trop volumineux pour ce site. Choisissez-en un plus petit.',
  problems: {
    tooLarge: 'Non importé : le fichier dépasse {limit}. Choisissez-en un plus petit.',
    wrongType: 'Non importé : ce type de fichier n’est pas accepté. Choisissez un autre fichier.',
    wrongTypeOf:
      'Non importé : ce type de fichier n’est pas accepté. Choisissez l’un de ces types : {types}.',
    notPdf:
      'Non importé : seuls les fichiers PDF sont acceptés. Enregistrez le fichier au format PDF et choisissez-le de nouveau.',
    empty: 'Non importé : le fichier est vide. Enregistrez-le à nouveau ou choisissez un autre fichier.',
    unreadable:
      'Non importé : le fichier ne peut pas être lu. C’est peut-être un dossier, ou il a été déplacé ou modifié.',
  },
  unnamed: 'Fichier sans nom',
  opensInTab: 'Ouvrir {name} dans un nouvel onglet',
  download: 'Télécharger',
  uploadedOn: 'Importé le {day}',
  keptUntil: 'conservé jusqu’au {day}',
  noEnd: 'sans date de fin',
  ends: {
    expired: 'A expiré le {day}. Importez-le de nouveau s’il est encore nécessaire.',
    lost: 'N’est plus disponible. Il a peut-être été supprimé, ou vous n’y avez plus accès.',
    missing: 'Indisponible. Il a peut-être expiré, a été supprimé ou appartient à une autre personne.',
  },
  deleting: 'Suppression…',
  deleted: '{name} a été supprimé.',
  notDeleted: 'La suppression a échoué. Réessayez.',
}

export const uploader: Messages['uploader'] = {
  label: 'Importer des fichiers',
  files: 'Fichiers',
  limit: '{size} au maximum chacun.',
  types: 'Types : {list}.',
  most: { one: '# fichier au maximum.', other: '# fichiers au maximum.' },
  tooMany: {
    one: '# fichier n’a pas été ajouté : la liste est pleine.',
    other: '# fichiers n’ont pas été ajoutés : la liste est pleine.',
  },
  leftOut: 'Non ajoutés, car vides ou illisibles : {names}',
  hidden: { one: '# fichier caché a été ignoré.', other: '# fichiers cachés ont été ignorés.' },
  forbidden: 'Vous n’avez pas l’autorisation d’importer des fichiers ici.',
  delete: 'Supprimer…',
  deleteQuestion: 'Supprimer définitivement ce fichier ?',
  deleteConfirm: 'Supprimer',
  deleteKeep: 'Conserver le fichier',
  missing: 'Importez un fichier.',
  unfinished: {
    one: 'Attendez la fin de # importation.',
    other: 'Attendez la fin de # importations.',
  },
  badDuration:
    'expires-in="{text}" n’est pas une durée valide. Utilisez une durée telle que 30d, 12h ou PT45M.',
  badMetadata: 'metadata doit être un objet JSON dont les valeurs sont des chaînes.',
}

export const storedFiles: Messages['storedFiles'] = {
  label: 'Fichiers',
  count: { one: '# fichier', other: '# fichiers' },
  unavailable: { one: '# n’est pas disponible', other: '# ne sont pas disponibles' },
  empty: 'Aucun fichier pour l’instant.',
  ends: {
    deleted: 'Supprimé.',
    forbidden: 'Vous n’avez pas accès à ce fichier.',
    unread: 'Le chargement a échoué.',
  },
  edit: 'Modifier',
  delete: 'Supprimer',
  undo: 'Conserver',
  deleteNow: 'Supprimer maintenant',
  waiting: 'Sera supprimé lorsque vous quitterez cette page.',
  granteesLose: 'Également perdu pour : {names}.',
  kept: '{name} est conservé.',
  editing: 'Modifier {name}',
  name: 'Nom',
  keepUntil: 'Conserver jusqu’au',
  dayHint: 'Laissez la date vide pour conserver le fichier sans date de fin.',
  testLimit:
    'L’environnement de test supprime les fichiers 30 jours après leur importation : celui-ci, le {day} au plus tard.',
  labels: 'Étiquettes',
  labelName: 'Étiquette',
  labelValue: 'Valeur',
  labelsHint: 'Effacez une valeur pour retirer son étiquette.',
  addLabel: 'Ajouter une étiquette',
  save: 'Enregistrer',
  saving: 'Enregistrement…',
  cancel: 'Annuler',
  saved: 'Enregistré : {name}',
  notSaved: 'L’enregistrement a échoué. Vos modifications sont toujours là. Réessayez.',
  notSavedRefused: 'Non enregistré. Modifiez ce qui est indiqué ici, puis enregistrez de nouveau :',
  notSavedGone: 'Non enregistré : le fichier n’est plus disponible.',
  notSavedForbidden: 'Non enregistré : vous n’avez pas l’autorisation de modifier ce fichier.',
  problems: {
    blankName: 'Saisissez un nom.',
    tooEarly:
      'Saisissez une date complète, à partir de demain. Pour retirer le fichier maintenant, supprimez-le.',
    tooLate: 'Saisissez une date antérieure : l’environnement de test conserve les fichiers 30 jours.',
    unnamedLabel: 'Saisissez un nom pour l’étiquette.',
    emptyLabel: 'Saisissez une valeur pour l’étiquette.',
    repeatedLabel: 'Cette étiquette existe déjà. Modifiez plutôt sa valeur.',
  },
  support: 'Pour l’assistance',
  reference: 'Référence',
  missing: 'Ajoutez un fichier.',
}

export const shares: Messages['shares'] = {
  label: 'Partages',
  count: { one: '# partage', other: '# partages' },
  empty: 'N’est partagé avec aucune application.',
  forbidden:
    'Vous n’avez pas l’autorisation de voir avec qui les fichiers sont partagés. Adressez-vous à la personne à qui le fichier appartient.',
  filters: 'Filtrer les partages',
  application: 'Application',
  allApplications: 'Toutes les applications',
  file: 'Fichier',
  everyFile: 'Tous les fichiers',
  order: 'Ordre',
  orders: {
    'createdAt,desc': 'Les plus récents d’abord',
    'createdAt,asc': 'Les plus anciens d’abord',
    'granteeClientId,asc': 'Par application',
  },
  allFiles: 'Accès à tous les fichiers, y compris futurs',
  allFilesHint:
    'Seule l’administration du service de fichiers peut modifier cela. Aucun fichier isolé ne peut être partagé avec ces applications, et une application n’obtient l’accès à tous les fichiers que si aucun fichier isolé n’est partagé avec elle.',
  otherApplication: 'Une autre application',
  unknownFile: 'Fichier sans nom',
  sharedWith: 'Partagé avec {application}',
  since: 'depuis le {day}',
  revoke: 'Ne plus partager…',
  revokeNamed: 'Ne plus partager… {file} avec {application}',
  revokeTitle: 'Ne plus partager {file} avec {application} ?',
  revokeEffect:
    '{application} perd l’accès au fichier. Les liens déjà obtenus fonctionnent jusqu’à leur expiration, pendant 7 jours au maximum. Le fichier est conservé et vous pourrez le partager de nouveau.',
  keepSharing: 'Continuer à partager',
  revokeConfirm: 'Ne plus partager',
  revoking: 'Arrêt du partage…',
  revoked: 'N’est plus partagé avec {application}.',
  notRevoked: 'Le partage n’a pas pu être arrêté. Réessayez.',
  notRevocable: 'Vous n’avez pas l’autorisation d’arrêter le partage de ce fichier.',
  pages: 'Pages de la liste',
  range: '{from}–{to} sur {total}',
  previous: 'Précédent',
  next: 'Suivant',
  create: 'Partager un fichier',
  createOf: 'Partager {file}',
  chooseFile: 'Choisir un fichier',
  chooseApplication: 'Choisir une application',
  share: 'Partager',
  sharing: 'Partage…',
  shared: 'Partagé avec {application}.',
  noFile: 'Choisissez un fichier.',
  noApplication: 'Choisissez une application.',
  hasAll: '{application} a déjà accès à tous les fichiers : il n’est pas nécessaire de partager celui-ci.',
  isShared: 'Le fichier est déjà partagé avec {application}.',
  refused:
    'Non partagé : le service a refusé. Une application qui a accès à tous les fichiers ne peut pas recevoir le partage d’un fichier isolé.',
  notShareable:
    'Non partagé : vous n’avez pas l’autorisation de partager ce fichier, ou il n’est plus disponible.',
  notShared: 'Le partage a échoué. Réessayez.',
  support: 'Pour l’assistance',
  reference: 'Référence',
}

export const office: Messages['office'] = {
  label: 'Unité',
  list: 'Afficher la liste des unités',
  levels: {
    any: 'd’une unité',
    org: 'd’une organisation',
    department: 'd’un département',
    sub_department: 'd’un sous-département',
  },
  hint: 'Le numéro {what}, par exemple {example}.',
  checking: 'Vérification du numéro…',
  unchecked: 'Le numéro n’a pas pu être vérifié. Vous pouvez l’envoyer tel quel.',
  missing: 'Saisissez le numéro {what}, par exemple {example}.',
  notANumber: 'Choisissez une unité dans la liste ou saisissez son numéro, par exemple {example}.',
  incomplete: 'Un numéro d’unité comporte 2, 6 ou 10 chiffres, par exemple 11, 11-0420 ou 11-0420-0010.',
  wrongLevel: '{key} est le numéro {found}. Saisissez le numéro {wanted}, par exemple {example}.',
  unknown: 'Aucune unité n’a été trouvée pour {key}. Vérifiez le numéro.',
}

export const officeList: Messages['officeList'] = {
  start: 'Saisissez les deux premiers chiffres. La recherche se fait par numéro.',
  found: { one: '# unité.', other: '# unités.' },
  foundMore: {
    one: '{shown} sur # unité. Saisissez plus de chiffres du numéro.',
    other: '{shown} sur # unités. Saisissez plus de chiffres du numéro.',
  },
  amongLoaded: {
    one: 'Les noms ne sont recherchés que dans la # unité déjà chargée. La recherche se fait par numéro.',
    other:
      'Les noms ne sont recherchés que dans les # unités déjà chargées. La recherche se fait par numéro.',
  },
  noName: 'Aucun nom ne correspond.',
  none: 'Aucun numéro d’unité ne commence par {number}.',
  open: 'Voir les unités rattachées',
}

export const formFields: Messages['formFields'] = {
  title: 'Il y a un problème',
  inside: '« {label} »',
  question: '« {label} »',
  enter: 'Remplissez {label}.',
  choose: 'Choisissez une option pour {label}.',
  answer: 'Répondez à {label}.',
  mustBe: {
    text: '{label} doit être un texte.',
    date: '{label} doit être une date valide, par exemple {example}.',
    url: '{label} doit être une adresse web, par exemple https://example.edu/.',
    email: '{label} doit être une adresse électronique, par exemple nom@example.edu.',
    number: '{label} doit être un nombre entier, par exemple {example}.',
    currency: '{label} doit être un montant, par exemple {example}.',
    no_answer: '{label} doit être vide.',
    university_id: '{label} doit être un identifiant universitaire, composé uniquement de chiffres.',
    org: '{label} doit être un numéro d’unité de 2 chiffres, par exemple {example}.',
    department: '{label} doit être un numéro d’unité de 6 chiffres, par exemple {example}.',
    sub_department: '{label} doit être un numéro d’unité de 10 chiffres, par exemple {example}.',
    position: '{label} doit être un numéro de poste, composé uniquement de chiffres.',
  },
  realDate: '{label} doit être une date valide.',
  personNotFound: 'Aucune personne n’a cet identifiant universitaire. Vérifiez {label}.',
  officeNotFound: 'Aucune unité n’a ce numéro. Vérifiez {label}.',
  positionNotFound: 'Aucun poste n’a ce numéro. Vérifiez {label}.',
  notFound: 'Le service ne l’a pas trouvé. Vérifiez {label}.',
  invalid: 'Le service ne l’a pas accepté. Vérifiez {label}.',
  otherReason: 'Le service n’a pas accepté {label} : {reason}.',
  notHere: '{problem} Cette page ne contient pas le champ. Adressez-vous aux responsables de la page.',
}

export const formCopy: Messages['formCopy'] = {
  filled: 'Rempli à partir de la demande {id}.',
  unsaved: 'Rien n’est encore enregistré.',
  notCopied: 'Non repris :',
  emailText: 'Texte des courriels aux personnes chargées de l’approbation',
  uploadAgain: 'Importez à nouveau ces documents :',
  documentsUnknown:
    'Les documents ne sont pas repris, et la liste de ceux de la demande {id} n’a pas pu être lue.',
  empty: 'Vider le formulaire',
  ask: 'Remplir le formulaire à partir de la demande {id} ?',
  replaces: 'Cela remplace votre saisie.',
  startsNew: 'Une nouvelle demande commence ainsi. Le brouillon reste enregistré.',
  fillIn: 'Le remplir',
  leave: 'Le laisser tel quel',
  forbidden: 'Le formulaire est vide, car vous ne pouvez pas lire la demande {id} ou elle n’existe pas.',
  failed:
    'La demande {id} n’a pas pu être chargée. Le formulaire n’est donc pas rempli à partir de celle-ci.',
}

export const formReview: Messages['formReview'] = {
  title: 'Vérifiez vos réponses avant de les envoyer',
  notEntered: 'Non renseigné',
  yes: 'Oui',
  no: 'Non',
  change: 'Modifier',
  changeOf: 'Modifier : {label}',
  effect:
    'L’envoi lance le circuit. Les premières personnes à l’approuver reçoivent la demande dans leur corbeille.',
  submit: 'Envoyer',
  back: 'Retour au formulaire',
}

export const form: Messages['form'] = {
  label: 'Formulaire',
  saving: 'Enregistrement…',
  submitting: 'Envoi…',
  saved: 'Enregistré à {time} : demande {id}.',
  submitted: 'Envoyé à {time}.',
  kept: 'Conservé dans ce navigateur à {time}. Pas encore enregistré.',
  notKept: 'Pas encore enregistré. Ce navigateur ne peut pas conserver votre saisie : enregistrez souvent.',
  unreadable: 'Cette demande ne peut pas être lue pour le moment.',
  saveForDocuments: 'Enregistrer et ajouter des documents',
  documentsHint: 'Vous pourrez ajouter des documents une fois la demande enregistrée.',
  signedOut:
    'Votre session est fermée. Connectez-vous dans un autre onglet, puis réessayez. Votre saisie reste ici.',
  incomplete: 'Une partie de cette page n’a pas pu être chargée. Réessayez ou rechargez la page.',
  notServed:
    '<wf-form> ne peut pas utiliser le formulaire {id}, car le proxy ne le propose pas. Vérifiez form-id.',
}

export const formHints: Messages['formHints'] = {
  restored: 'Récupéré : votre saisie jusqu’à {time}. Elle n’est pas encore enregistrée.',
  discard: 'L’abandonner',
  chooseAgain: 'Les navigateurs ne peuvent pas conserver de fichiers. Choisissez de nouveau : {files}.',
  continued: 'Vous reprenez le brouillon que vous avez enregistré : demande {id}.',
  startNew: 'Commencer une nouvelle demande',
  submittedAs: 'Vous avez envoyé ceci à {time} : demande {id}.',
  mailsChange:
    'Si vous enregistrez une modification, ces personnes en seront informées par courriel : {names}.',
  mailsAll:
    'Si vous enregistrez, toutes les personnes chargées de l’approbation en seront informées par courriel. La demande se trouve actuellement chez : {names}.',
  readOnly: 'Vous pouvez consulter cette demande, mais pas la modifier.',
  routed:
    'Cette demande est déjà en circulation. Les modifications sont enregistrées, mais elle n’est pas envoyée de nouveau.',
  resubmit:
    'Une demande qui vous a été renvoyée ne peut être envoyée de nouveau que dans le service lui-même.',
  submitElsewhere: 'Ce brouillon ne peut être envoyé que dans le service lui-même.',
  linkAgain: 'L’envoyer de nouveau dans le service',
  linkFirst: 'L’envoyer dans le service',
}

export const formOutcome: Messages['formOutcome'] = {
  notSaved: 'Non enregistré.',
  notSubmitted: 'Enregistré, mais pas envoyé.',
  forbidden: 'Vous n’en avez pas l’autorisation. Adressez-vous aux responsables du formulaire.',
  refused: 'Le service a refusé.',
  refusedHere: 'Ce site a refusé.',
  limited: 'Vous avez atteint une limite de ce site. Réessayez après {time}.',
  unavailable: 'Le service n’a pas pu être joint. Réessayez.',
  sentElsewhere: 'Cette demande est en cours d’envoi depuis un autre onglet. Consultez-le d’abord.',
  keptHere: 'Conservé dans ce navigateur.',
  alsoEnter: 'Pour l’enregistrer auprès du service, remplissez aussi :',
  elsewhere: 'Pour continuer sur un autre ordinateur, ouvrez :',
  fileNotSent:
    'Cette page ne peut pas envoyer de fichiers depuis « {label} ». Retirez le fichier ou contactez les responsables de la page.',
  fileWaits:
    'Importé lorsque vous enregistrez ou envoyez la demande. D’ici là, ce navigateur ne peut pas conserver le fichier : laissez cette page ouverte.',
  unknownSave: 'Aucune confirmation n’est arrivée : l’enregistrement a peut-être eu lieu, peut-être pas.',
  unknownSubmit:
    'La demande est enregistrée, mais aucune confirmation n’est arrivée : elle est peut-être envoyée, peut-être pas.',
  checkAgain: 'Vérifier de nouveau',
  startAgain: 'Relancer le circuit',
  startOver: 'Enregistrer comme nouveau brouillon',
  startOverHint: 'Si le premier brouillon existe, il reste dans le service et personne ne le reçoit.',
  notUploaded: '« {file} » n’a pas été importé. Réessayez ou retirez-le.',
  conflicts: 'Quelqu’un d’autre a aussi modifié ceci. Choisissez ce qu’il faut conserver.',
  mine: 'Votre saisie',
  theirs: 'Actuellement enregistré',
  empty: 'Rien',
  keepChosen: 'Enregistrer ces valeurs',
  cancel: 'Annuler',
}

export const overrides: Messages['overrides'] = {
  label: 'Remplacements',
  empty: 'Personne n’est remplacé pour cette demande.',
  noRight:
    'Vous n’avez pas l’autorisation de remplacer quelqu’un pour cette demande. Demandez-la au responsable de ce site.',
  reason: 'Conflit d’intérêts',
  pair: '{replacement} agit pour {subject}',
  change: '{subject} n’a aucun accès à cette demande.',
  delegate: '{subject} peut consulter cette demande, mais pas la signer.',
  otherType: 'Cette page ne connaît pas l’effet exact.',
  instead: '{replacement} signe à sa place.',
  inForce: 'En vigueur : la demande est dans la corbeille de {replacement}, et non dans celle de {subject}.',
  notYet: 'Pas encore en vigueur : la demande est toujours dans la corbeille de {subject}.',
  later: 'Prendra effet quand la demande devrait parvenir à {subject}.',
  unproven: 'Impossible de vérifier si le remplacement est en vigueur.',
  unknown: 'Identifiant universitaire {id}',
  add: 'Remplacer quelqu’un',
  end: 'Mettre fin',
  endFor: 'Mettre fin : {subject}',
  title: 'Remplacer quelqu’un pour cette demande ?',
  intro: 'À utiliser si une personne du circuit a un conflit d’intérêts.',
  subject: 'Qui ne doit pas décider ?',
  replacement: 'Qui signe à sa place ?',
  personHint: 'Identifiant universitaire',
  personHintWithSearch: 'Nom ou identifiant universitaire',
  unknownPerson:
    'Le nom correspondant à {id} n’a pas pu être trouvé. Vérifiez que l’identifiant universitaire est exact.',
  notFound: 'Aucune personne trouvée. Vérifiez le nom ou saisissez l’identifiant universitaire.',
  several: 'Choisissez la personne :',
  lookupFailed: 'L’annuaire n’a pas pu être consulté. Saisissez l’identifiant universitaire.',
  effect: 'Que peut-elle encore faire ?',
  delegateChoice: 'Consulter la demande, mais pas la signer',
  changeChoice: 'Rien : elle ne peut plus la voir',
  next: 'Continuer',
  back: 'Retour',
  cancel: 'Annuler',
  busy: 'Un instant…',
  confirmTitle: 'Remplacer {subject} ?',
  confirm: 'Remplacer {subject}',
  named: '{name} ({id})',
  endTitle: 'Mettre fin au remplacement de {subject} ?',
  endEffect: '{subject} retrouve tous ses droits sur cette demande. {replacement} ne signe plus à sa place.',
  keep: 'Maintenir',
  problems: {
    subjectMissing: 'Indiquez qui ne doit pas décider.',
    replacementMissing: 'Indiquez qui signe à sa place.',
    typeMissing: 'Choisissez ce que la personne peut encore faire.',
    same: 'Personne ne peut signer à sa propre place. Choisissez une autre personne.',
    self: 'Vous ne pouvez pas créer un remplacement qui vous concerne. Demandez à une autre personne autorisée.',
    active: 'Cette personne est déjà remplacée. Mettez d’abord fin à ce remplacement.',
    initiator: 'Cette personne a fait la demande. Choisissez une autre personne pour signer.',
    replaced:
      'Cette personne est aussi remplacée pour cette demande. Choisissez la personne qui agit pour elle.',
  },
  forbidden: 'Vous n’en avez pas l’autorisation. Rien n’a été modifié.',
  refused: 'L’action a été refusée. Rien n’a été modifié.',
  uncertain:
    'La réponse s’est perdue : l’action a peut-être eu lieu, peut-être pas. Fermez cette fenêtre et vérifiez la liste.',
  signedOut: 'Votre session est fermée. Rien n’a été modifié.',
  made: '{replacement} agit désormais pour {subject}.',
  ended: '{subject} décide de nouveau.',
}

export const route: Messages['route'] = {
  label: 'Circuit',
  usual: 'Le circuit habituel de {key}',
  usualHint: 'Le formulaire peut ajouter d’autres étapes.',
  optOut: 'La demande ne passe pas par cette unité si le formulaire le permet.',
  changed: {
    one: 'Le circuit habituel de {key} : # étape.',
    other: 'Le circuit habituel de {key} : # étapes.',
  },
  chooseOffice: 'Choisissez une unité pour voir son circuit habituel.',
  chooseSubType: 'Le circuit peut dépendre du type de la demande. Choisissez le type pour le voir.',
  noRoute: 'Aucun circuit habituel n’a été trouvé pour {key}. Vous pouvez tout de même envoyer la demande.',
  refused: 'Le circuit n’a pas pu être consulté. Vous pouvez tout de même envoyer la demande.',
  stop: { other: 'Étape #' },
  signed: 'a signé',
  viewers: 'Aucune signature requise',
  nobody: 'Personne actuellement',
  atPresent: 'actuellement dans cette fonction',
  own: 'Vous approuvez votre propre demande à l’étape « {stop} ».',
  initiatorApproves: '{name} a fait cette demande et l’approuve à l’étape « {stop} ».',
  twice: '{name} doit approuver plus d’une fois : {stops}.',
  nobodyAt:
    'Personne n’est désigné à l’étape « {stop} ». Adressez-vous à l’unité avant d’envoyer la demande.',
}

export const savedRoute: Messages['savedRoute'] = {
  savedAt: 'Calculé à partir des données enregistrées à {time}',
  calculatedAt: 'Calculé à {time} à partir des données enregistrées',
  actual: 'Le circuit jusqu’ici et ce qui reste à venir',
  outdated: 'Les données ont changé depuis. Enregistrez-les pour recalculer le circuit.',
  empty: 'Le circuit calculé n’a plus d’étapes.',
  overrides: {
    DELEGATE:
      'Un remplacement est en vigueur : {replacement} signe à la place de {subject}, qui peut consulter la demande, mais pas la signer.',
    CHANGE:
      'Un remplacement est en vigueur : {replacement} signe à la place de {subject}, qui n’a pas accès à la demande.',
  },
  asPredicted: 'Conforme au calcul du {time}, avant l’envoi.',
  differs: 'Diffère du calcul du {time}, avant l’envoi :',
  added: '« {stop} » n’était pas prévu.',
  dropped: '« {stop} » était prévu.',
  replaced: '« {stop} » : {before} prévu, {now} dans le circuit.',
}

export const refusals: Messages['refusals'] = {
  emptyFile: 'Le fichier est vide. Choisissez un autre fichier.',
  extensionNotAllowed:
    'Les fichiers de ce type ne peuvent pas être importés ici. Choisissez un fichier de l’un de ces types : {types}.',
  pdfRequired: 'Cette pièce jointe doit être un PDF. Choisissez un fichier PDF.',
  hiddenProgram: 'Le fichier est un programme dont l’extension a été changée. Choisissez un autre fichier.',
  passwordProtected:
    'Le fichier ne peut pas être lu. S’il a un mot de passe, retirez-le et choisissez de nouveau le fichier.',
  contentMismatch:
    'Le contenu du fichier ne correspond pas à son nom. Enregistrez-le au format indiqué par son nom, ou renommez-le, puis choisissez-le de nouveau.',
  harmfulContent: 'L’analyse a trouvé un contenu dangereux dans le fichier. Choisissez un autre fichier.',
}

export const formList: Messages['formList'] = {
  conditions: 'Demandes affichées',
  state: 'État',
  allStates: 'Tous les états',
  days: 'Jours sans changement, au moins',
  stop: 'Étape',
  allStops: 'Toutes les étapes',
  office: 'Unité',
  notANumber: 'Indiquez le numéro d’une unité, par exemple {example}.',
  all: 'Tout afficher',
  shown: 'Demandes affichées : {count}',
  atStop: 'Étape : {stop}',
  ofOffice: 'Unité : {office}',
  empty: 'Cette page ne connaît aucune demande de ce formulaire que vous puissiez voir.',
  noneFits: 'Cette page ne connaît aucune demande qui remplisse ces conditions et que vous puissiez voir.',
  forbidden:
    'Ce site ne vous permet pas de lister les demandes de ce formulaire. Adressez-vous à son responsable.',
}

export const listExtras: Messages['listExtras'] = {
  remind: 'Envoyer un rappel',
  remindNamed: 'Envoyer un rappel : {request}',
  reminded: 'Dernier rappel : {when}, {count} sur {limit}',
  lastUncertain: 'On ne sait pas si le dernier rappel a été envoyé.',
  signed: 'Vous l’avez signée',
  submitted: 'Elle a été envoyée',
  elsewhere: 'Elle n’attend plus rien de votre part',
  hidden: 'Vous ne pouvez plus la consulter',
  gap: 'Des demandes commencées entre {from} et {to} peuvent manquer.',
  limited: 'Des demandes en attente d’une unité peuvent manquer.',
}

export const list: Messages['list'] = {
  label: 'Demandes',
  views: { mine: 'Mes demandes', waiting: 'En attente de moi' },
  groups: {
    drafts: 'Pas encore envoyées',
    submitted: 'Envoyées',
    toSign: 'Requiert votre signature',
    toRead: 'À lire ou à modifier',
    all: 'Demandes',
  },
  request: 'Demande',
  from: 'De {name}',
  started: 'Commencée le {day}',
  withdrawn: 'Rappelée, non envoyée',
  since: 'Depuis le {day}',
  sign: 'Signer',
  signNamed: 'Signer : {request}',
  edit: 'Modifier',
  editNamed: 'Modifier : {request}',
  copy: 'Réutiliser',
  copyNamed: 'Réutiliser : {request}',
  new: 'Afficher les nouvelles demandes : {count}',
  gone: 'N’est plus dans cette liste',
  more: 'Afficher plus',
  empty: {
    mine: 'Cette page ne connaît aucune demande de votre part.',
    waiting: 'Rien de ce que cette page connaît n’attend de votre part.',
  },
  knownSince: 'Cette page connaît les demandes depuis le {day}.',
  checked: 'Dernière vérification : {time}.',
  notChecked: 'La recherche n’est pas encore terminée.',
  partial: 'Certaines demandes n’ont pas pu être vérifiées et manquent.',
  inbox: 'Ouvrir la corbeille du service de circulation',
  off: 'Ce site ne tient pas de listes de demandes.',
}

export const changes: Messages['changes'] = {
  notDone: 'Rien n’a été modifié.',
  mayBeDone: 'Il se peut que cela ait quand même été fait. Fermez ceci et vérifiez.',
}

export const reminder: Messages['reminder'] = {
  title: 'Envoyer un rappel ?',
  effect:
    'Le service envoie un e-mail à toutes les personnes qui approuvent cette demande, peut-être aussi à celles qui ont signé. Rien ne change dans la demande.',
  note: 'Note (facultative)',
  noteLeft: { one: '# caractère restant', many: '# caractères restants', other: '# caractères restants' },
  noteProblems: {
    length: {
      one: 'La note compte # caractère de trop.',
      many: 'La note compte # caractères de trop.',
      other: 'La note compte # caractères de trop.',
    },
    address: 'Une note ne peut pas contenir d’adresse : retirez « :// », « www. » et « @ ».',
    control: 'La note contient des caractères de contrôle invisibles. Saisissez-la au lieu de la coller.',
  },
  text: 'L’e-mail contient ce texte :',
  cancel: 'Annuler',
  close: 'Fermer',
  send: 'Envoyer le rappel',
  busy: 'Un instant…',
  sent: 'Le service a été chargé d’envoyer l’e-mail.',
  refusals: {
    wait: 'Ces personnes ont reçu cette demande ou un rappel il y a peu de temps.',
    limit: 'Ces personnes ont reçu autant de rappels que ce site le permet.',
    day: 'Vous avez envoyé autant de rappels que ce site le permet en un jour.',
    nobody: 'Cette demande n’attend personne d’autre.',
    stopped: 'Ce site a suspendu les rappels pour ce formulaire. Prévenez son responsable.',
  },
  notPossible: 'Aucun rappel n’est possible pour le moment.',
  from: 'Le prochain sera possible à partir de {time}.',
  noteRefused: 'Ce site n’accepte pas cette note. Aucun rappel n’a été envoyé.',
  forbidden: 'Vous ne pouvez pas envoyer de rappel pour cette demande.',
  changed: 'Cette demande a changé entre-temps. Aucun rappel n’a été envoyé.',
  refused:
    'Le service ne l’a pas accepté. Aucun e-mail n’a été envoyé. Prévenez le responsable du formulaire.',
  uncertain: 'La réponse a été perdue : le rappel a peut-être été envoyé. Il ne sera pas renvoyé.',
}

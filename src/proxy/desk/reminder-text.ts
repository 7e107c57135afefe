/** The sentences of a reminder. */
interface ReminderTexts {
  /** `{name}` is the initiator of the package. */
  readonly initiator: string
  /** The name of the initiator is not known. */
  readonly someone: string
  readonly administrator: string
  /** `{day}` is a date. */
  readonly since: string
  readonly unchanged: string
  /** Before the note of each of these people. */
  readonly writes: Readonly<Record<'initiator' | 'someone' | 'administrator', string>>
}

// The words of the glossary in docs/languages.md.
const texts = {
  en: {
    initiator: '{name} asks you to act on this request.',
    someone: 'The initiator asks you to act on this request.',
    administrator: 'An administrator asks you to act on this request.',
    since: 'It has been waiting since {day}.',
    unchanged: 'Nothing in this request has changed.',
    writes: {
      initiator: '{name} writes:',
      someone: 'The initiator writes:',
      administrator: 'An administrator writes:',
    },
  },
  ar: {
    initiator: 'يطلب منك {name} اتخاذ إجراء بشأن هذا الطلب.',
    someone: 'يطلب منك مقدّم الطلب اتخاذ إجراء بشأن هذا الطلب.',
    administrator: 'يطلب منك أحد المسؤولين اتخاذ إجراء بشأن هذا الطلب.',
    since: 'وهو في الانتظار منذ {day}.',
    unchanged: 'لم يتغير أي شيء في هذا الطلب.',
    writes: {
      initiator: 'يكتب {name}:',
      someone: 'يكتب مقدّم الطلب:',
      administrator: 'يكتب أحد المسؤولين:',
    },
  },
  de: {
    initiator: '{name} bittet Sie, diesen Antrag zu bearbeiten.',
    someone: 'Die antragstellende Person bittet Sie, diesen Antrag zu bearbeiten.',
    administrator: 'Die Verwaltung bittet Sie, diesen Antrag zu bearbeiten.',
    since: 'Er wartet seit dem {day}.',
    unchanged: 'An diesem Antrag hat sich nichts geändert.',
    writes: {
      initiator: '{name} schreibt:',
      someone: 'Die antragstellende Person schreibt:',
      administrator: 'Die Verwaltung schreibt:',
    },
  },
  es: {
    initiator: '{name} le pide que se ocupe de esta solicitud.',
    someone: 'La persona solicitante le pide que se ocupe de esta solicitud.',
    administrator: 'La administración le pide que se ocupe de esta solicitud.',
    since: 'Está en espera desde el {day}.',
    unchanged: 'Nada ha cambiado en esta solicitud.',
    writes: {
      initiator: '{name} escribe:',
      someone: 'La persona solicitante escribe:',
      administrator: 'La administración escribe:',
    },
  },
  fr: {
    initiator: '{name} vous demande de traiter cette demande.',
    someone: 'La personne à l’origine de cette demande vous prie de la traiter.',
    administrator: 'L’administration vous prie de traiter cette demande.',
    since: 'Elle est en attente depuis le {day}.',
    unchanged: 'Rien n’a changé dans cette demande.',
    writes: {
      initiator: '{name} écrit :',
      someone: 'La personne à l’origine de cette demande écrit :',
      administrator: 'L’administration écrit :',
    },
  },
  hi: {
    initiator: '{name} आपसे इस अनुरोध पर कार्रवाई करने के लिए कह रहे हैं।',
    someone: 'अनुरोधकर्ता आपसे इस अनुरोध पर कार्रवाई करने के लिए कह रहे हैं।',
    administrator: 'एक व्यवस्थापक आपसे इस अनुरोध पर कार्रवाई करने के लिए कह रहे हैं।',
    since: 'यह {day} से प्रतीक्षा में है।',
    unchanged: 'इस अनुरोध में कुछ भी नहीं बदला है।',
    writes: {
      initiator: '{name} ने लिखा है:',
      someone: 'अनुरोधकर्ता ने लिखा है:',
      administrator: 'एक व्यवस्थापक ने लिखा है:',
    },
  },
  ja: {
    initiator: '{name}さんから、この申請への対応の依頼です。',
    someone: '申請者から、この申請への対応の依頼です。',
    administrator: '管理者から、この申請への対応の依頼です。',
    since: '{day}から待っています。',
    unchanged: 'この申請の内容に変更はありません。',
    writes: {
      initiator: '{name}さんからのメッセージ:',
      someone: '申請者からのメッセージ:',
      administrator: '管理者からのメッセージ:',
    },
  },
  ko: {
    initiator: '{name} 님이 이 신청서의 처리를 요청합니다.',
    someone: '신청자가 이 신청서의 처리를 요청합니다.',
    administrator: '관리자가 이 신청서의 처리를 요청합니다.',
    since: '{day}부터 기다리고 있습니다.',
    unchanged: '이 신청서에서 변경된 내용은 없습니다.',
    writes: {
      initiator: '{name} 님의 메시지:',
      someone: '신청자의 메시지:',
      administrator: '관리자의 메시지:',
    },
  },
  'pt-BR': {
    initiator: '{name} pede que você trate desta solicitação.',
    someone: 'A pessoa solicitante pede que você trate desta solicitação.',
    administrator: 'A administração pede que você trate desta solicitação.',
    since: 'Ela está aguardando desde {day}.',
    unchanged: 'Nada mudou nesta solicitação.',
    writes: {
      initiator: '{name} escreve:',
      someone: 'A pessoa solicitante escreve:',
      administrator: 'A administração escreve:',
    },
  },
  ru: {
    initiator: '{name} просит вас рассмотреть эту заявку.',
    someone: 'Инициатор просит вас рассмотреть эту заявку.',
    administrator: 'Администратор просит вас рассмотреть эту заявку.',
    since: 'Она ожидает с {day}.',
    unchanged: 'В этой заявке ничего не изменилось.',
    writes: {
      initiator: '{name} пишет:',
      someone: 'Инициатор пишет:',
      administrator: 'Администратор пишет:',
    },
  },
  vi: {
    initiator: '{name} đề nghị bạn xử lý hồ sơ này.',
    someone: 'Người khởi tạo đề nghị bạn xử lý hồ sơ này.',
    administrator: 'Quản trị viên đề nghị bạn xử lý hồ sơ này.',
    since: 'Hồ sơ đã chờ từ {day}.',
    unchanged: 'Không có gì thay đổi trong hồ sơ này.',
    writes: {
      initiator: '{name} viết:',
      someone: 'Người khởi tạo viết:',
      administrator: 'Quản trị viên viết:',
    },
  },
  'zh-Hans': {
    initiator: '{name} 请您处理此申请。',
    someone: '发起人请您处理此申请。',
    administrator: '管理员请您处理此申请。',
    since: '它自 {day} 起一直在等待。',
    unchanged: '此申请没有任何更改。',
    writes: {
      initiator: '{name} 留言：',
      someone: '发起人留言：',
      administrator: '管理员留言：',
    },
  },
} as const satisfies Readonly<Record<string, ReminderTexts>>

/** A language that reminders can have. */
export type ReminderLanguage = keyof typeof texts

export const reminderLanguages = Object.keys(texts) as [ReminderLanguage, ...ReminderLanguage[]]

/** Who asks for a reminder: the initiator, whose name may not be known, or somebody whom the policy lets do so. */
export type Asker = { readonly name: string | null } | 'administrator'

/** Returns the text of a reminder. `since`: local date-time of the receipt, as the service writes it, if that is known. */
export function reminderText(language: ReminderLanguage, asker: Asker, since: string | null): string {
  const t: ReminderTexts = texts[language]
  const date = since === null ? NaN : Date.parse(`${since.slice(0, 10)}T00:00Z`)
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return [
    ofAsker(t, asker),
    ...(Number.isNaN(date) ? [] : [fill(t.since, day.format(date))]),
    t.unchanged,
  ].join(' ')
}

/** Returns the words before a note, which name its author. */
export function noteLead(language: ReminderLanguage, asker: Asker): string {
  return ofAsker(texts[language].writes, asker)
}

function ofAsker(t: ReminderTexts['writes'], asker: Asker): string {
  if (asker === 'administrator') return t.administrator
  return asker.name === null ? t.someone : fill(t.initiator, asker.name)
}

/** Fills in a value. A function, because a name may contain what `replace` would fill in. */
function fill(text: string, value: string): string {
  return text.replace(/\{\w+\}/, () => value)
}

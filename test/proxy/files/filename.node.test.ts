import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { attachmentDisposition, cleanDescription, cleanFilename } from '../../../src/proxy/files/filename.ts'

describe('cleanFilename()', () => {
  it('leaves clean names as they are', () => {
    for (const name of clean) assert.equal(cleanFilename(name), name)
  })

  for (const [given, expected] of [
    ['C:\\fakepath\\report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['a/b\\c.pdf', 'c.pdf'],
    ['..', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['???.pdf', 'file.pdf'],
    ['_\u200b\u3164\u2800.pdf', 'file.pdf'],
    ['.htaccess', 'htaccess'],
    [' ..a.pdf', 'a.pdf'],
    ['e\u0301te\u0301.pdf', 'été.pdf'],
    ['e\u200b\u0301.pdf', 'é.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u2066b\u2069c\u061c\u200e.pdf', 'abc.pdf'],
    ['a\r\nSet-Cookie: b.pdf', 'a Set-Cookie_ b.pdf'],
    ['a\0b\u0007\u0085\u2028.pdf', 'ab .pdf'],
    ['\ud800a\udc00.pdf', 'a.pdf'],
    ['a.pdf. . ', 'a.pdf'],
    ['a.pdf          .exe', 'a.pdf .exe'],
    ['a\u00a0\u3000b.pdf', 'a b.pdf'],
    ['<img src=x onerror="y">.png', '_img src=x onerror=_y__.png'],
    ['a:b|c?d*e"f.pdf', 'a_b_c_d_e_f.pdf'],
    ['report.pdf::$DATA', 'report.pdf__$DATA'],
    ['CON', '_CON'],
    ['con.pdf', '_con.pdf'],
    ['Nul.tar.gz', '_Nul.tar.gz'],
    ['COM1 .txt', '_COM1 .txt'],
    ['lpt².txt', '_lpt².txt'],
    ['=1+1.csv', '_=1+1.csv'],
    ['+a.csv', '_+a.csv'],
    ['-rf', '_-rf'],
    ['@a.csv', '_@a.csv'],
    ['＝a.csv', '_＝a.csv'],
    ['inv\u200doice.p\u200ddf', 'invoice.pdf'],
    ['a\u200d\u200d🎓\u200d.pdf', 'a🎓.pdf'],
    ['1\ufe0f.pdf', '1.pdf'],
    ['\u{e0041}\u{e0042}a.pdf', 'a.pdf'],
  ] as const) {
    it(`turns ${JSON.stringify(given)} into ${expected} (T20)`, () =>
      assert.equal(cleanFilename(given), expected))
  }

  it('cuts a name to 200 bytes between characters and keeps the extension (T20)', () => {
    assert.equal(cleanFilename(`${'a'.repeat(10_000)}.pdf`), `${'a'.repeat(196)}.pdf`)
    assert.equal(cleanFilename(`${'漢'.repeat(100)}.docx`), `${'漢'.repeat(65)}.docx`)
    assert.equal(cleanFilename(`${'🎓'.repeat(100)}`), '🎓'.repeat(50))
    assert.equal(cleanFilename(`${'a'.repeat(199)} b`), 'a'.repeat(199))
    assert.equal(cleanFilename(`a.${'b'.repeat(300)}`), `a.${'b'.repeat(198)}`)
  })

  it('makes any name safe, and does not change it a second time (T20)', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '/',
        '\\',
        '.',
        ' ',
        '..',
        'con',
        'aux.',
        '=',
        '\u200d',
        '\u202e',
        '\ufe0f',
        '👩',
        'é',
        'e\u0301',
        '"',
        '\r\n',
        '\ud83d',
      ),
      fc.constantFrom('x'.repeat(197), '漢'.repeat(66), '.pdf'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const name = cleanFilename(parts.join(''))
        assert.equal(cleanFilename(name), name)
        assert.equal(name.normalize('NFC'), name)
        assert.match(name, /^[^ .=+\-@]/)
        assert.doesNotMatch(name, /[\p{Cc}\p{Cs}\p{Bidi_Control}<>:"|?*/\\]|[ .]$|^(?:con|aux)(?:\.|$)/iu)
        assert.ok(Buffer.byteLength(name) <= 200)
      }),
      { numRuns: 500 },
    )
  })
})

describe('cleanDescription()', () => {
  it('keeps line breaks and all scripts, and removes invisible characters (T20)', () => {
    assert.equal(cleanDescription(' a\r\nb\rc\u2028d\te\n'), 'a\nb\nc\nd e')
    assert.equal(cleanDescription('\u202ea\u2066b\u0000c\u001bd\ud800\u200b\ufeff<b>'), 'abcd<b>')
    assert.equal(cleanDescription('می\u200cخواهم 👩\u200d🎓 e\u0301'), 'می\u200cخواهم 👩\u200d🎓 é')
    assert.equal(cleanDescription(' \n '), '')
  })

  it('cuts to 1000 whole characters', () => {
    assert.equal(cleanDescription('🎓'.repeat(2000)), '🎓'.repeat(1000))
    assert.equal(cleanDescription(`${'a'.repeat(999)} b`), 'a'.repeat(999))
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const once = cleanDescription(text)
        assert.equal(cleanDescription(once), once)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('attachmentDisposition()', () => {
  it('contains the name twice: an ASCII fallback and the full name', () => {
    assert.equal(
      attachmentDisposition('Résumé (1) 100%41 "x"\'.pdf'),
      `attachment; filename="R_sum_ (1) 100_41 _x__.pdf"; filename*=UTF-8''R%C3%A9sum%C3%A9%20%281%29%20100%2541%20_x_%27.pdf`,
    )
  })

  it('means the same to different parsers, for 300 names (T20)', () => {
    const names = [...clean, ...hostile]
    assert.ok(names.length >= 300, `${names.length} names`)
    for (const name of names) {
      const header = attachmentDisposition(name)
      assert.match(header, /^[\x20-\x7e]+$/, name)
      assert.equal(new Headers({ 'content-disposition': header }).get('content-disposition'), header)
      const expected = cleanFilename(name)
      assert.deepEqual(byGrammar(header), { type: 'attachment', filename: expected }, name)
      assert.equal(fromPackage.parse(header).type, 'attachment')
      assert.equal(fromPackage.parse(header).parameters['filename'], expected, name)
    }
  })

  it('contains a fallback name that no parser misreads (T20)', () => {
    for (const name of [...clean, ...hostile]) {
      const [, fallback] =
        /^attachment; filename="([^"]*)"; filename\*=/.exec(attachmentDisposition(name)) ?? []
      assert.match(fallback ?? '', /^[A-Za-z0-9 ._()-]+$/, name)
      assert.equal(
        /\.[a-z]{1,16}$/.exec(fallback ?? '')?.[0],
        /\.[a-z]{1,16}$/.exec(cleanFilename(name))?.[0],
      )
    }
  })
})

interface Parsed {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}
const fromPackage = createRequire(import.meta.url)('content-disposition') as {
  parse: (header: string) => Parsed
}

/** Reads the header character by character, by the grammar of RFC 6266, RFC 9110 and RFC 8187. */
function byGrammar(header: string): { type: string; filename: string | undefined } {
  let at = 0
  const take = (pattern: RegExp): string => {
    const found = new RegExp(pattern.source, 'y')
    found.lastIndex = at
    const text = found.exec(header)?.[0]
    assert.ok(text !== undefined, `${pattern} at ${at} of ${header}`)
    at += text.length
    return text
  }
  const token = /[!#$%&'*+.^_`|~\w-]+/
  const type = take(token)
  const parameters = new Map<string, string>()
  while (at < header.length) {
    take(/[ \t]*;[ \t]*/)
    const name = take(token)
    assert.ok(!parameters.has(name), 'twice')
    take(/=/)
    if (name.endsWith('*')) {
      take(/UTF-8'[A-Za-z-]*'/)
      const bytes: number[] = []
      for (const part of take(/(?:%[0-9A-Fa-f]{2}|[!#$&+.^_`|~\w-])*/).match(/%..|./g) ?? [])
        bytes.push(part.length === 3 ? parseInt(part.slice(1), 16) : part.charCodeAt(0))
      parameters.set(
        name,
        new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)),
      )
    } else {
      parameters.set(
        name,
        take(/"(?:[^"\\]|\\.)*"/)
          .slice(1, -1)
          .replace(/\\(.)/g, '$1'),
      )
    }
  }
  return { type, filename: parameters.get('filename*') ?? parameters.get('filename') }
}

const clean = [
  ...[
    'report.pdf',
    'Report 2024-05-01 (final).docx',
    'résumé.pdf',
    'Łódź ŕ.txt',
    '成績表.xlsx',
    'отчёт.pdf',
    'تقرير.pdf',
    'דוח.pdf',
  ],
  ...[
    'می\u200cخواهم.pdf',
    '👩\u200d🎓.png',
    '❤\ufe0f\u200d🔥.png',
    'ක්\u200dය.pdf',
    "it's 100% #1 & more; a=b, c~d!.pdf",
    'a%20b.pdf',
    'no extension',
  ],
  ...[
    'archive.tar.gz',
    'a+b=c@d.txt',
    "UTF-8''x.pdf",
    '`a^b{c}[d].pdf',
    'console.log',
    'company1.txt',
    '1.pdf',
    '_x.pdf',
    'Ελληνικά.txt',
    'ไทย.pdf',
    '한국어.hwp',
  ],
]

/** Each way to hurt in each place of a name. */
const hostile = [
  ...[
    '\u202e',
    '\u202d',
    '\u2066',
    '\u200f',
    '\u061c',
    '\0',
    '\r\n',
    '\n',
    '\t',
    '\u001b[31m',
    '\u0085',
    '\u2028',
    '\ud800',
    '\udfff',
    '\ufeff',
  ],
  ...[
    '"',
    "'",
    '\\',
    '/',
    '../',
    '..\\',
    ';',
    ',',
    '=',
    '%',
    '%22',
    '%0d%0a',
    '%E2%80%AE',
    '<img src=x>',
    '<script>',
    '${x}',
    '`id`',
    '$(id)',
    '|',
    '&',
  ],
  ...[
    '*',
    '?',
    ':',
    '::$DATA',
    '@',
    '+',
    '-',
    '--',
    '~',
    '#',
    '!',
    '\u3164',
    '\u200d',
    '\ufe0f',
    '\u034f',
    '\u{e0061}',
    '\u00a0',
    '\u3000',
    '.',
    '...',
    ' ',
  ],
  ...[
    "'; filename=x",
    '"; filename="x',
    "''",
    'UTF-8',
    'é',
    '\u0301',
    '\u212a',
    '漢',
    '🎓',
    'CON',
    'nul.',
    'a'.repeat(10_000),
  ],
].flatMap((bad) => [bad, `${bad}.pdf`, `${bad}name.pdf`, `na${bad}me.pdf`, `name.pdf${bad}`])

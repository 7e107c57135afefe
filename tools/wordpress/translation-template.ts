import { readdirSync, readFileSync } from 'node:fs'

const folder = 'integrations/wordpress/routeslip'

/** A text of the plugin. */
interface Text {
  readonly text: string
  /** Where it is, relative to the folder of the plugin. */
  readonly place: string
  /** A note for translators. */
  readonly note?: string | undefined
}

/** Returns the template of the plugin's translations: the texts in its PHP, from which its scripts get theirs. */
export function translationTemplate(): string {
  const entries = new Map<string, Text[]>()
  for (const found of [description(), ...textsInPhp()]) {
    entries.set(found.text, [...(entries.get(found.text) ?? []), found])
  }
  const head = `# Written by scripts/docs/write.ts.
msgid ""
msgstr ""
"Project-Id-Version: Routeslip\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"X-Domain: routeslip\\n"
`
  const texts = [...entries.values()].map((places) => {
    const note = places.find((each) => each.note)?.note
    const files = [...new Set(places.map(({ place }) => place))]
    return [
      ...(note ? [`#. ${note}`] : []),
      `#: ${files.join(' ')}`,
      `msgid ${JSON.stringify(places[0]?.text)}`,
      'msgstr ""',
      '',
    ].join('\n')
  })
  return [head, ...texts].join('\n')
}

/** The list of plugins shows the header of the plugin in the language of the user. */
function description(): Text {
  const place = 'routeslip.php'
  const [, text = ''] = /^ \* Description: +(.+)$/m.exec(readFileSync(`${folder}/${place}`, 'utf8')) ?? []
  return { text, place, note: 'Description of the plugin' }
}

function* textsInPhp(): Generator<Text> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  for (const place of paths.filter((path) => path.endsWith('.php')).sort()) {
    const source = readFileSync(`${folder}/${place}`, 'utf8')
    const calls =
      /(?:translators: ([^*]*?) \*\/\s*(?:[^;]{0,60}?))?\b(?:__|esc_html__|esc_attr__|esc_html_e)\( '((?:[^'\\]|\\.)*)', 'routeslip' \)/g
    for (const [, note, text = ''] of source.matchAll(calls)) {
      yield { text: text.replace(/\\(['\\])/g, '$1'), place, note }
    }
  }
}

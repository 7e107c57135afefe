/** The fields of one event by name; its lines of data are one text. A sign of life has no `event`. */
export type ServerEvent = ReadonlyMap<string, string>

/**
 * Creates a reader of server-sent events (HTML, section 9.2.6) that takes the bytes of a stream however they are cut, and
 * hands on each event as soon as it is complete. What a stream ends in the middle of is never handed on.
 */
export function createEventReader(onEvent: (event: ServerEvent) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ''
  let fields = new Map<string, string>()
  let hasReturned = false

  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true })
    if (!text) return
    // The second half of a line end whose first half has already counted.
    if (hasReturned && text.startsWith('\n')) text = text.slice(1)
    hasReturned = text.endsWith('\r')

    const lines = (rest + text).split(/\r\n?|\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line) {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)/s.exec(line) ?? []
        const before = name === 'data' ? fields.get(name) : undefined
        fields.set(name, before === undefined ? value : `${before}\n${value}`)
      } else {
        onEvent(fields)
        fields = new Map()
      }
    }
  }
}

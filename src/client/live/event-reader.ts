/** The fields of one event by name, with its `data` lines joined. A heartbeat has no `event` field. */
export type ServerEvent = ReadonlyMap<string, string>

/**
 * Creates a parser of server-sent events (HTML, section 9.2.6). It takes the bytes of a stream in chunks of any size and
 * calls `onEvent` for each complete event. An event that the end of the stream cuts off is dropped.
 */
export function createEventReader(onEvent: (event: ServerEvent) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ''
  let fields = new Map<string, string>()
  let endedWithReturn = false

  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true })
    if (!text) return
    // The LF of a CRLF pair whose CR ended the previous chunk and was counted there.
    if (endedWithReturn && text.startsWith('\n')) text = text.slice(1)
    endedWithReturn = text.endsWith('\r')

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

/** A message of an event stream, as a browser dispatches it. */
export interface Message {
  readonly event: string
  readonly data: string
  /** The `Last-Event-ID` that the browser would send after this message. */
  readonly lastEventId: string
}

/** Reads an event stream by the rules of HTML, 9.2.6. Each read rejects after 30 seconds without data. */
export interface EventReader {
  /** Returns the next message; undefined if the stream has ended. */
  readonly next: () => Promise<Message | undefined>
  /** Reads up to the first message that satisfies a condition, and returns all messages up to it. */
  readonly until: (isLast: (message: Message) => boolean) => Promise<readonly Message[]>
  /** Reads until the text contains a part a number of times. */
  readonly untilText: (part: string, times?: number) => Promise<void>
  /** Returns all text that has been read. */
  readonly text: () => string
  readonly lastEventId: () => string
  readonly cancel: () => Promise<void>
}

export function readEvents({ body }: Response): EventReader {
  if (!body) throw new Error('A stream has a body')
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let rest = ''
  let lastEventId = ''
  const messages: Message[] = []

  /** Fails instead of hanging, so that a test names the assertion that it did not reach. */
  async function readOrFail(): Promise<ReadableStreamReadResult<Uint8Array>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No data arrived in 30 seconds after: ${text}`)), 30_000)
    })
    try {
      return await Promise.race([reader.read(), deadline])
    } finally {
      clearTimeout(timer)
    }
  }

  async function read(): Promise<boolean> {
    const { done, value } = await readOrFail()
    if (done) return false
    const chunk = decoder.decode(value, { stream: true })
    text += chunk
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) parse(block.split(/\r\n|\r|\n/))
    return true
  }

  function parse(lines: readonly string[]): void {
    let event = 'message'
    const data: string[] = []
    for (const line of lines) {
      const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
      if (name === 'event') event = value
      if (name === 'data') data.push(value)
      if (name === 'id') lastEventId = value
    }
    if (data.length > 0) messages.push({ event, data: data.join('\n'), lastEventId })
  }

  async function next(): Promise<Message | undefined> {
    while (messages.length === 0) if (!(await read())) return undefined
    return messages.shift()
  }

  return {
    next,
    async until(isLast) {
      const found: Message[] = []
      for (let message = await next(); message; message = await next()) {
        found.push(message)
        if (isLast(message)) return found
      }
      throw new Error('The stream has ended')
    },
    async untilText(part, times = 1) {
      while (text.split(part).length <= times) if (!(await read())) throw new Error('The stream has ended')
    },
    text: () => text,
    lastEventId: () => lastEventId,
    cancel: () => reader.cancel(),
  }
}

/** Tells when whoever has asked goes away: as much of an `AbortSignal` as it takes. */
export interface DisconnectSignal {
  readonly aborted: boolean
  readonly reason: unknown
  readonly addEventListener: (type: 'abort', listener: EventListenerObject) => void
  readonly removeEventListener: (type: 'abort', listener: EventListenerObject) => void
}

const leaving = Symbol('leaving')

/** Says how to hear of it with a request whose own signal costs more than all else about a small read, as on Node. */
export function setLeaving(request: Request, value: DisconnectSignal): void {
  Object.assign(request, { [leaving]: value })
}

/** Tells when whoever makes a request goes away. */
export function leavingOf(request: Request): DisconnectSignal {
  return (request as { readonly [leaving]?: DisconnectSignal })[leaving] ?? request.signal
}

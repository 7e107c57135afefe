import type { StoredEvent, StoredPackage, StoredSignature } from '../../state/state.ts'

/** A `signature` event. */
export type SignatureEvent = StoredEvent & { person: string; readonly signature: StoredSignature }

/** Signatures whose packages lie in an inbox now. None unless ROUTING: a void only hides them. */
export function pendingSignatures(pkg: StoredPackage): readonly SignatureEvent[] {
  return pkg.state === 'ROUTING' ? heldSignatures(pkg) : []
}

/** Signatures that the package waits for, also while it is void. */
export function heldSignatures({ inbox, history }: StoredPackage): readonly SignatureEvent[] {
  const held: SignatureEvent[] = []
  // From the end, where they are: a history may be thousands of events long, and every step asks for them.
  for (let index = history.length - 1; index >= 0 && held.length < inbox.length; index--) {
    const event = history[index]
    if (event && isSignature(event) && inbox.includes(event.signature.id)) held.push(event)
  }
  return held.reverse()
}

function isSignature(event: StoredEvent): event is SignatureEvent {
  return event.signature !== null
}

import type { StoredEvent, StoredPackage, StoredSignature } from '../../state/stored-packages.ts'

/** A `signature` event. */
type SignatureEvent = StoredEvent & { person: string; readonly signature: StoredSignature }

/** Returns the signatures that are in an inbox now. A package that is not ROUTING has none. */
export function pendingSignatures(pkg: StoredPackage): readonly SignatureEvent[] {
  return pkg.state === 'ROUTING' ? heldSignatures(pkg) : []
}

/** Returns the signatures that the package waits for. A VOID package keeps them for an unvoid. */
export function heldSignatures({ inbox, history }: StoredPackage): readonly SignatureEvent[] {
  const held: SignatureEvent[] = []
  // Search from the end, where they are: histories may have thousands of events, and each step calls this.
  for (let index = history.length - 1; index >= 0 && held.length < inbox.length; index--) {
    const event = history[index]
    if (event && isSignature(event) && inbox.includes(event.signature.id)) held.push(event)
  }
  return held.reverse()
}

function isSignature(event: StoredEvent): event is SignatureEvent {
  return event.signature !== null
}

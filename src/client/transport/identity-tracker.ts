interface IdentityTrackerOptions {
  /** Called when responses are no longer for the same user. */
  readonly onIdentity: () => void
  /** Called at the first success after a 401. */
  readonly onSignIn: () => void
}

/** Tracks which user the responses are for, so that the data of two users never mixes. */
export interface IdentityTracker {
  /**
   * Records a success. `univid` is the university id of its user; null if the proxy does not send it. Returns false if
   * earlier responses were for somebody else.
   */
  accept(univid: string | null): boolean
  /** Records a 401. */
  signOut(): void
}

export function createIdentityTracker({ onIdentity, onSignIn }: IdentityTrackerOptions): IdentityTracker {
  let user: string | undefined
  let isSignedOut = false

  function setUser(next: string | undefined): boolean {
    const isSame = user === undefined || user === next
    user = next
    if (!isSame) onIdentity()
    return isSame
  }

  return {
    accept(univid) {
      if (isSignedOut) onSignIn()
      isSignedOut = false
      return setUser(univid ?? user)
    },
    signOut() {
      setUser(undefined)
      isSignedOut = true
    },
  }
}

export interface TabGroupOptions {
  /** Root URL of the proxy. Tabs with the same one form a group. */
  readonly root: string
  /** Whether to look for other tabs. */
  readonly isShared: boolean
  /** Called when this tab becomes the leader. */
  readonly onLead: () => void
  /** Called with what another tab has posted. It may run another version of this package and post anything. */
  readonly onMessage: (message: unknown) => void
}

/** The tabs of a browser that share a live stream. One of them, the leader, opens it. */
export interface TabGroup {
  isLeader: boolean
  /** Enters the group and waits for the lead. Returns false if this tab is in the group already. */
  join(): boolean
  /** Leaves the group and gives up the lead. */
  leave(): void
  /** Sends a message to the other tabs. */
  post(message: unknown): void
}

/** Creates a member of a group. The leader holds a lock; without locks, each tab leads a group of its own. */
export function createTabGroup({ root, isShared, onLead, onMessage }: TabGroupOptions): TabGroup {
  let channel: BroadcastChannel | undefined
  let membership: AbortController | undefined

  const group: TabGroup = {
    isLeader: false,

    join() {
      if (membership) return false
      const { signal } = (membership = new AbortController())
      const lead = () => {
        if (signal.aborted) return
        group.isLeader = true
        onLead()
        return new Promise((release) => signal.addEventListener('abort', release))
      }
      if (!isShared) {
        void lead()
        return true
      }
      try {
        const name = `routeslip ${new URL(root, document.baseURI).href}`
        navigator.locks.request(name, { signal }, lead).catch(lead)
        channel = new BroadcastChannel(name)
        channel.onmessage = ({ data }) => onMessage(data)
      } catch {
        // The browser has no locks or channels, or blocks them.
        void lead()
      }
      return true
    },

    leave() {
      membership?.abort()
      channel?.close()
      membership = channel = undefined
      group.isLeader = false
    },

    post: (message) => channel?.postMessage(message),
  }
  return group
}

import { refusals } from '../http/refusals.ts'

/** Memory that one body or response takes. */
export interface Buffered {
  /** Takes `bytes` in total from now on. Throws `ProxyError` if there is not enough space. */
  readonly resize: (bytes: number) => void
  /** Gives all of it back. */
  readonly release: () => void
}

/** Memory for bodies and responses, which people share. */
export interface BufferSpace {
  /** Creates an entry for a person that takes no memory yet. `holder` may also name the application itself. */
  readonly open: (holder: string) => Buffered
}

/** The share of the space that one person may take with more than one body or response. */
const share = 1 / 4

/**
 * Creates space for `total` bytes. It counts them and refuses what does not fit: 503 if the space is full, 429 if one person
 * would take more than a quarter. A single body or response of a person may be larger.
 */
export function createBufferSpace(total: number): BufferSpace {
  const taken = new Map<string, number>()
  let sum = 0

  function add(holder: string, bytes: number): void {
    sum += bytes
    const rest = (taken.get(holder) ?? 0) + bytes
    if (rest === 0) taken.delete(holder)
    else taken.set(holder, rest)
  }

  return {
    open(holder) {
      let own = 0
      return {
        resize(bytes) {
          const others = (taken.get(holder) ?? 0) - own
          if (others > 0 && others + bytes > total * share) throw refusals.tooManyRequests()
          if (sum - own + bytes > total) throw refusals.tooBusy()
          add(holder, bytes - own)
          own = bytes
        },
        release() {
          add(holder, -own)
          own = 0
        },
      }
    },
  }
}

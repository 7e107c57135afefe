/**
 * Creates a function that waits for one of `total` places, in order, and resolves to a function that gives the place back.
 * Calling that function again has no effect.
 */
export function createPlaces(total: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let free = total

  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let isHeld = true
    return () => {
      if (isHeld) giveBack()
      isHeld = false
    }
  }
}

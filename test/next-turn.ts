/**
 * Waits for one turn of the event loop. Everything that only waits for promises has happened then, on a machine of any speed. For what
 * waits for a timer, a file, a connection or a worker, wait for its result instead.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/**
 * Polls until a condition holds. Rejects after 30 seconds, so that a test fails with a message instead of hanging. `pause` lets
 * time pass between two polls; by default, it waits for the next turn of the event loop.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  pause: () => Promise<unknown> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<void> {
  const start = Date.now()
  while (!(await condition())) {
    if (Date.now() - start > 30_000)
      throw new Error(`The condition never became true: ${condition.toString()}`)
    await pause()
  }
}

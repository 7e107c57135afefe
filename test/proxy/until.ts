// Tests may replace it later.
const { setTimeout } = globalThis

/**
 * Polls until a condition holds. Rejects after 30 seconds, so that a test fails with a message instead of hanging. `pause` lets
 * time pass between two polls: by default a few turns of the event loop, and then some milliseconds, so that what the test waits for
 * has the processor.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  pause?: () => Promise<unknown>,
): Promise<void> {
  const start = Date.now()
  for (let polls = 0; !(await condition()); polls++) {
    if (Date.now() - start > 30_000)
      throw new Error(`The condition never became true: ${condition.toString()}`)
    await (pause?.() ??
      new Promise((resolve) => (polls < 20 ? setImmediate(resolve) : setTimeout(resolve, 5))))
  }
}

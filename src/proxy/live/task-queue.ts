/**
 * Creates a function that runs tasks, `concurrency` at a time and in order, so that a batch of thousands of callbacks does not
 * overload the service. It resolves or rejects as the task does.
 */
export function createTaskQueue(concurrency: number): (task: () => Promise<void>) => Promise<void> {
  const tails = Array.from({ length: concurrency }, () => Promise.resolve())
  let next = 0
  return (task) => {
    const index = next++ % concurrency
    const done = (tails[index] ?? Promise.resolve()).then(task)
    tails[index] = done.catch(() => {})
    return done
  }
}

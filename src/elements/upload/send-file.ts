import { type SendOptions, UnavailableError } from '../../client/index.ts'
import { createLimiter } from '../../client/transport/limiter.ts'
import { FileProblem } from '../element/file-problem.ts'
import { type FileRules, findFileProblem, namedTypes } from './file-rules.ts'

/** Browsers block the page while they open a file, so only a few are opened at a time. */
const limitReads = createLimiter(3)

/**
 * Checks a file and uploads it. Checks it again if the upload failed, because files change on disk. Rejects with a
 * `FileProblem`, or as `upload` does.
 */
export async function sendFile<T>(
  file: File,
  rules: FileRules,
  options: SendOptions,
  upload: (options: SendOptions) => Promise<T>,
): Promise<T> {
  await checkFile(file, rules)
  options.signal.throwIfAborted()
  let isSent = false
  try {
    return await upload({
      ...options,
      onProgress(sent, total) {
        isSent = sent > 0 && sent >= total
        options.onProgress(sent, total)
      },
    })
  } catch (error) {
    if (error instanceof UnavailableError && !isSent) await checkFile(file, rules)
    throw error
  }
}

async function checkFile(file: File, rules: FileRules): Promise<void> {
  const isReadable = await limitReads(() => file.slice(0, 1).arrayBuffer()).then(
    () => true,
    () => false,
  )
  const problem = isReadable ? findFileProblem(file, rules) : 'unreadable'
  if (problem) throw new FileProblem(problem, rules.maxSize, namedTypes(rules))
}

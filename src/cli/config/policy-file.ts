import { unwatchFile, watchFile } from 'node:fs'
import type { Log } from '../../proxy/observe/log.ts'
import { parsePolicy, PolicyError, type PolicyRules } from '../../proxy/rights/policy-rules.ts'
import { type ReadText, readTextFile, unreadableFile } from './config-values.ts'

/** The policy of a running proxy. */
export interface PolicyFile {
  /** Returns the rules that are in force. */
  readonly current: () => PolicyRules
  /** Reads the file again. If it is not valid, the rules do not change, and the log gets the reason. */
  readonly reload: () => void
  readonly close: () => void
}

interface PolicyFileOptions {
  readonly path: string
  /** The content of the file when the process started. */
  readonly rules: PolicyRules
  readonly log: Log
  readonly readText?: ReadText
}

/** Time between two looks at the file, in milliseconds. */
const interval = 1000

/** Reads a policy. Throws `PolicyError` with one line for each problem. */
export function readPolicyFile(path: string, readText: ReadText = readTextFile): PolicyRules {
  let content: string
  try {
    content = readText(path)
  } catch (cause) {
    throw new PolicyError(`The file ${unreadableFile(cause)}`, { cause })
  }
  return parsePolicy(content)
}

/** Follows a policy file: reads it again when it changes. Requests in progress keep the rules with which they began. */
export function followPolicy({ path, rules, log, readText = readTextFile }: PolicyFileOptions): PolicyFile {
  let current = rules
  const reload = () => {
    try {
      current = readPolicyFile(path, readText)
      log('info', 'The policy was read again', { path, rules: current.rules.length })
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error
      const problems = error.message.split('\n')
      log('error', 'The policy is not valid, so the previous one stays in force', { path, problems })
    }
  }
  // Polling also notices a file that is replaced through a link, as Kubernetes does.
  watchFile(path, { interval, persistent: false }, reload)
  return { current: () => current, reload, close: () => unwatchFile(path, reload) }
}

import { checkPaths } from './paths.ts'
import { checkResponses } from './responses.ts'
import { createConformanceSuite, OmittedError } from './suite.ts'
import { checkFiles } from './files.ts'
import { checkIdentity } from './identity.ts'
import { checkLists } from './lists.ts'
import { checkLocks } from './locks.ts'
import { checkOverrides } from './overrides.ts'
import { checkPageParts } from './page-parts.ts'
import { checkProxyRoutes } from './proxy-routes.ts'
import { checkFailures, checkRights } from './rights.ts'
import type { Check, CheckResult, Target } from './target.ts'
import { createFixture } from './fixture.ts'

/**
 * Checks a proxy against its API and the table of rights, and yields one result after another. Resets the emulator to the
 * scenario `small`, so the emulator must allow its control API. Checks that need an operation that the proxy leaves out are skipped.
 * Never throws: if a check cannot run, it fails.
 */
export async function* checkConformance(target: Target): AsyncGenerator<CheckResult> {
  const { administratorRights = ['tool'], timeout = 20_000, only = [''] } = target
  const suite = createConformanceSuite(target)
  const fixture = createFixture(suite)
  await suite.readOmitted()
  const groups: Readonly<Record<string, () => AsyncIterable<Check> | Iterable<Check>>> = {
    identity: () => checkIdentity(suite, fixture),
    paths: () => checkPaths(suite, fixture),
    rights: () => checkRights(suite, fixture, administratorRights),
    overrides: () => (administratorRights.includes('policy') ? checkOverrides(suite, fixture) : []),
    locks: () => checkLocks(suite, fixture, administratorRights),
    lists: () => checkLists(suite, fixture),
    files: () => checkFiles(suite, fixture),
    responses: () => checkResponses(suite, fixture),
    failures: () => checkFailures(suite, fixture, timeout),
    'proxy routes': () => checkProxyRoutes(suite, fixture),
    page: () => checkPageParts(suite, fixture),
    violations: () => suite.violations(),
  }
  for (const [group, checks] of Object.entries(groups)) {
    try {
      // Each group starts from the same state, with packages that no open page follows.
      await suite.control('POST', '/reset', { scenario: 'small', nextPackageId: unusedId() })
      fixture.clear()
      for await (const each of checks()) {
        if (only.some((prefix) => each.name.startsWith(prefix))) yield await resultOf(each)
      }
    } catch (error) {
      if (error instanceof OmittedError) yield skippedResult(`${group}: the checks can run`, error)
      else yield { name: `${group}: the checks can run`, ok: false, detail: messageOf(error) }
    }
  }
}

async function resultOf({ name, run }: Check): Promise<CheckResult> {
  try {
    const detail = await run()
    return { name, ok: detail === '', detail }
  } catch (error) {
    if (error instanceof OmittedError) return skippedResult(name, error)
    return { name, ok: false, detail: messageOf(error) }
  }
}

function skippedResult(name: string, { message }: OmittedError): CheckResult {
  return { name, ok: true, detail: '', skipped: message }
}

/** Returns an id that no package of an earlier run or group has. */
function unusedId(): number {
  return 1_000_000 + Math.floor(Math.random() * 1_000_000_000)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

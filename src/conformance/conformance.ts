import { checkAddresses } from './paths.ts'
import { checkAnswers } from './responses.ts'
import { createConformanceSuite } from './suite.ts'
import { checkFiles } from './files.ts'
import { checkIdentity } from './identity.ts'
import { checkOwn } from './proxy-routes.ts'
import { checkFailures, checkRights } from './rights.ts'
import type { Check, CheckResult, Target } from './target.ts'
import { createFixture } from './fixture.ts'

/**
 * Checks a proxy against the API and the table of rights, one result after another. The emulator begins again with its
 * scenario `small`, and its control API has to be allowed. Never throws: what cannot be checked has failed.
 */
export async function* checkConformance(target: Target): AsyncGenerator<CheckResult> {
  const { administratorMay = ['tool'], patience = 20_000, only = [''] } = target
  const bench = createConformanceSuite(target)
  const world = createFixture(bench)
  const groups: Readonly<Record<string, () => AsyncIterable<Check> | Iterable<Check>>> = {
    identity: () => checkIdentity(bench, world),
    addresses: () => checkAddresses(bench),
    rights: () => checkRights(bench, world, administratorMay),
    files: () => checkFiles(bench, world),
    answers: () => checkAnswers(bench, world),
    failures: () => checkFailures(bench, world, patience),
    own: () => checkOwn(bench, world),
    offences: () => bench.offences(),
  }
  for (const [group, begin] of Object.entries(groups)) {
    try {
      // What one group has left behind must not decide about the next.
      await bench.control('POST', '/reset', { scenario: 'small' })
      world.spoil()
      for await (const each of begin()) {
        if (only.some((beginning) => each.name.startsWith(beginning))) yield await resultOf(each)
      }
    } catch (error) {
      yield { name: `${group}: the checks can be made`, ok: false, detail: wordsOf(error) }
    }
  }
}

async function resultOf({ name, run }: Check): Promise<CheckResult> {
  try {
    const detail = await run()
    return { name, ok: detail === '', detail }
  } catch (error) {
    return { name, ok: false, detail: wordsOf(error) }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

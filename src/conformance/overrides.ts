import type { BrowserOperation } from '../contract/routes/routes.ts'
import type { CallInput, ConformanceSuite } from './suite.ts'
import { wrongWith } from './rights.ts'
import { client, check, type Check, formId, people } from './target.ts'
import type { Fixture } from './fixture.ts'

/** The two people of an override. */
type Part = 'subject' | 'replacement'

/** Checks that an administrator cannot change overrides that concern themselves, even with permission from the policy. */
export function* checkOverrides(suite: ConformanceSuite, fixture: Fixture): Generator<Check> {
  for (const part of ['subject', 'replacement'] as const) {
    const body = overrideOf(part)
    yield check(`overrides: nobody creates one as its ${part}`, () =>
      refusal('createOverride', (params) => ({ params, body })),
    )
    yield check(`overrides: nobody ends one as its ${part}`, () =>
      refusal('deactivateOverride', async (params) => {
        await suite.prepare('createOverride', client.id, { params, body })
        return { params: { ...params, univid: body.subjectUnivid } }
      }),
    )
  }

  /** Calls an operation as the administrator on a new package. Returns what is wrong unless the proxy refuses it. */
  async function refusal(
    name: BrowserOperation,
    inputOf: (params: { formId: number; packageId: number }) => CallInput | Promise<CallInput>,
  ): Promise<string> {
    fixture.clear()
    const { packageId } = await fixture.sample('getPackage', 'ROUTING')
    const input = await inputOf({ formId, packageId })
    return wrongWith('denied', name, await suite.call(name, people.administrator, input))
  }
}

function overrideOf(part: Part) {
  const [subjectUnivid, replacementUnivid] =
    part === 'subject' ? [people.administrator, people.viewer] : [people.firstApprover, people.administrator]
  return { subjectUnivid, type: 'DELEGATE', reason: 'CONFLICT_OF_INTEREST', replacementUnivid }
}

import { type PagePartHead, pagePartsType } from '../contract/routes/package-page.ts'
import type { Fixture } from './fixture.ts'
import { type ConformanceSuite, summaryOf } from './suite.ts'
import { check, type Check, formId, people } from './target.ts'

/** Checks the route that combines the reads of a page. A proxy may leave it out; it then responds with 404. */
export async function* checkPageParts(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  const { packageId } = await fixture.sample('getPackage', 'ROUTING')
  const path = `/forms/${formId}/packages/${packageId}/page`
  const read = async (as: string | null) => {
    const { status, headers, text, received } = await suite.raw({
      method: 'GET',
      path: `${path}?part=getComments&part=getActions`,
      as,
    })
    const lines = text.split('\n')
    const heads = [0, 2].map((at) => parseHead(lines[at]))
    const isPage = headers.get('content-type') === pagePartsType
    const found = isPage
      ? heads.map((head) => `${head?.part} ${head?.status}`).join(', ')
      : `status ${status}`
    return { status, found, received }
  }

  yield check('page: the rights come first, then the parts that the user may view', async () => {
    const { status, found } = await read(people.initiator)
    const expected = 'getActions 200, getComments 200'
    return status === 404 || found === expected ? '' : `expected ${expected}, got ${found}`
  })
  yield check('page: nothing about a package is read for a user who may not view it', async () => {
    const { status, found, received } = await read(people.outsider)
    const reads = received.filter(({ operation }) => operation === 'getComments')
    const expected = 'getActions 200, getComments 403'
    return status === 404 || (found === expected && reads.length === 0)
      ? ''
      : `expected ${expected} and no call, got ${found}; sent: ${summaryOf(reads)}`
  })
  yield check('page: it needs a signed-in user', async () => {
    const { status } = await read(null)
    return status === 401 || status === 404 ? '' : `expected 401, got ${status}`
  })
}

function parseHead(line: string | undefined): PagePartHead | undefined {
  try {
    return JSON.parse(line ?? '') as PagePartHead
  } catch {
    return undefined
  }
}

import { isRecord } from '../contract/values/values.ts'
import { type ConformanceSuite, summaryOf, mutationsOf } from './suite.ts'
import { check, type Check, people } from './target.ts'
import { inputFor, type Fixture } from './fixture.ts'

const operations = ['getFileMeta', 'presignFile', 'updateFileMeta', 'deleteFile'] as const
const nothing = { packageId: 1, attachmentId: 1, lockId: 1 }
const noFile = '00000000-0000-4000-8000-000000000000'

/** Metadata key in which proxies usually store the owner. */
const usualKey = 'routeslip-owner'

/** Checks that files belong to their owners. The service itself knows only the application. */
export function* checkFiles(suite: ConformanceSuite, fixture: Fixture): Generator<Check> {
  for (const name of operations) {
    yield check(`files: ${name} of another user's file looks like a missing file`, async () => {
      const uuid = await fixture.upload(people.initiator)
      const request = async (of: string) =>
        await suite.call(name, people.outsider, inputFor(name, { ...nothing, uuid: of }))
      const [theirs, none] = [await request(uuid), await request(noFile)]
      const text = (json: unknown) => JSON.stringify(isRecord(json) ? [json['title'], json['detail']] : json)
      if (theirs.status !== 404 || mutationsOf(theirs.received).length > 0) {
        return `expected 404 and nothing changed, got ${theirs.status}; sent: ${summaryOf(theirs.received)}`
      }
      return none.status === 404 && text(none.json) === text(theirs.json)
        ? ''
        : `expected the same response as for a missing file, got ${text(theirs.json)} and ${text(none.json)}`
    })
  }

  yield check('files: metadata is returned as given, without keys of the proxy', async () => {
    const uuid = await fixture.upload(people.initiator, { note: 'mine' })
    const { status, json } = await suite.call('getFileMeta', people.initiator, { params: { uuid } })
    const shown = JSON.stringify(isRecord(json) ? json['metadata'] : json)
    return status === 200 && shown === '{"note":"mine"}'
      ? ''
      : `expected {"note":"mine"}, got ${status} ${shown}`
  })

  for (const value of [people.outsider, '', null]) {
    for (const change of [(key: string) => key, (key: string) => key.toUpperCase()]) {
      const example = change(usualKey)
      yield check(
        `files: the owner cannot be changed with ${example} = ${JSON.stringify(value)}`,
        async () => {
          const uuid = await fixture.upload(people.initiator)
          const stored = await storedMetadata(suite, uuid)
          const keys = [...new Set([usualKey, ...Object.keys(stored)])].map(change)
          for (const key of keys) {
            const body = { metadata: { [key]: value } }
            await suite.call('updateFileMeta', people.initiator, { params: { uuid }, body })
          }
          return await stillOwned(suite, uuid, stored)
        },
      )
    }
  }

  yield check('files: an upload cannot name another owner', async () => {
    const keys = Object.keys(await storedMetadata(suite, await fixture.upload(people.initiator)))
    for (const key of new Set([usualKey, ...keys])) {
      const body = { metadata: { [key]: people.outsider } }
      const { status, json } = await suite.call('uploadFile', people.initiator, { body })
      if (status >= 400 && status < 500) continue
      const uuid = isRecord(json) && typeof json['uuid'] === 'string' ? json['uuid'] : noFile
      const wrong = await stillOwned(suite, uuid, undefined)
      if (wrong !== '') return wrong
    }
    return ''
  })

  yield check(
    'files: a download link expires within a minute and appears only in the Location header',
    async () => {
      const uuid = await fixture.upload(people.initiator)
      const { status, headers, text, received } = await suite.call('presignFile', people.initiator, {
        params: { uuid },
      })
      if (status !== 303) return `expected 303, got ${status}`
      const link = headers.get('location') ?? ''
      const requested = received.find(({ operation }) => operation === 'presignFile')?.url ?? ''
      const lifetime = new URLSearchParams(requested.split('?')[1]).get('expiresIn') ?? 'the default'
      const isShort =
        /^(?:\d|[1-5]\d|60)s?$/.test(lifetime) || /^PT(?:\d|[1-5]\d|60)S$/.test(lifetime) || lifetime === '1m'
      if (!isShort) return `expected a link for 60 seconds or less, got ${lifetime}`
      return link.includes('/objects/') && !text.includes(link)
        ? ''
        : `expected the link in the Location header only, got ${link}`
    },
  )
}

async function storedMetadata(
  suite: ConformanceSuite,
  uuid: string,
): Promise<Readonly<Record<string, unknown>>> {
  const file = await suite.prepare('getFileMeta', '', { params: { uuid } })
  const metadata = isRecord(file) ? file['metadata'] : undefined
  return isRecord(metadata) ? metadata : {}
}

/** Returns the problem if the uploader has lost the file or shares it with others, or if the stored metadata has changed. */
async function stillOwned(
  suite: ConformanceSuite,
  uuid: string,
  stored: Readonly<Record<string, unknown>> | undefined,
): Promise<string> {
  const own = await suite.call('getFileMeta', people.initiator, { params: { uuid } })
  const other = await suite.call('getFileMeta', people.outsider, { params: { uuid } })
  if (own.status !== 200 || other.status !== 404) {
    return `expected 200 for the owner and 404 for others, got ${own.status} and ${other.status}`
  }
  const now = await storedMetadata(suite, uuid)
  const changed = Object.keys(stored ?? {}).find((key) => now[key] !== stored?.[key])
  return changed === undefined
    ? ''
    : `${changed} was changed from ${String(stored?.[changed])} to ${String(now[changed])}`
}

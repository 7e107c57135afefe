import { isRecord } from '../contract/record.ts'
import { type ConformanceSuite, listOf, mutationsOf } from './suite.ts'
import { check, type Check, people } from './target.ts'
import { inputFor, type Fixture } from './fixture.ts'

const operations = ['getFileMeta', 'presignFile', 'updateFileMeta', 'deleteFile'] as const
const nothing = { packageId: 1, attachmentId: 1, lockId: 1 }
const noFile = '00000000-0000-4000-8000-000000000000'

/** Metadata key that proxies may keep the owner under. */
const usualKey = 'routeslip-owner'

/** Checks that a file is its owner's: the service itself knows only the application. */
export function* checkFiles(bench: ConformanceSuite, world: Fixture): Generator<Check> {
  for (const name of operations) {
    yield check(`files: ${name} of someone else's file is answered as if there were none`, async () => {
      const uuid = await world.upload(people.initiator)
      const ask = async (of: string) =>
        await bench.call(name, people.outsider, inputFor(name, { ...nothing, uuid: of }))
      const [theirs, none] = [await ask(uuid), await ask(noFile)]
      const words = (json: unknown) => JSON.stringify(isRecord(json) ? [json['title'], json['detail']] : json)
      if (theirs.status !== 404 || mutationsOf(theirs.received).length > 0) {
        return `expected 404 and nothing changed, got ${theirs.status}; sent: ${listOf(theirs.received)}`
      }
      return none.status === 404 && words(none.json) === words(theirs.json)
        ? ''
        : `expected the same answer as for no file, got ${words(theirs.json)} and ${words(none.json)}`
    })
  }

  yield check('files: metadata comes back as it was given, and nothing of the proxy with it', async () => {
    const uuid = await world.upload(people.initiator, { note: 'mine' })
    const { status, json } = await bench.call('getFileMeta', people.initiator, { params: { uuid } })
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
          const uuid = await world.upload(people.initiator)
          const stored = await storedMetadata(bench, uuid)
          const keys = [...new Set([usualKey, ...Object.keys(stored)])].map(change)
          for (const key of keys) {
            const body = { metadata: { [key]: value } }
            await bench.call('updateFileMeta', people.initiator, { params: { uuid }, body })
          }
          return await stillOwned(bench, uuid, stored)
        },
      )
    }
  }

  yield check('files: an upload cannot name another owner', async () => {
    const keys = Object.keys(await storedMetadata(bench, await world.upload(people.initiator)))
    for (const key of new Set([usualKey, ...keys])) {
      const body = { metadata: { [key]: people.outsider } }
      const { status, json } = await bench.call('uploadFile', people.initiator, { body })
      if (status >= 400 && status < 500) continue
      const uuid = isRecord(json) && typeof json['uuid'] === 'string' ? json['uuid'] : noFile
      const wrong = await stillOwned(bench, uuid, undefined)
      if (wrong !== '') return wrong
    }
    return ''
  })

  yield check(
    'files: a link dies within a minute, and only a browser that is sent there gets to see it',
    async () => {
      const uuid = await world.upload(people.initiator)
      const { status, headers, text, received } = await bench.call('presignFile', people.initiator, {
        params: { uuid },
      })
      if (status !== 303) return `expected 303, got ${status}`
      const link = headers.get('location') ?? ''
      const asked = received.find(({ operation }) => operation === 'presignFile')?.url ?? ''
      const lifetime = new URLSearchParams(asked.split('?')[1]).get('expiresIn') ?? 'the default'
      const isShort =
        /^(?:\d|[1-5]\d|60)s?$/.test(lifetime) || /^PT(?:\d|[1-5]\d|60)S$/.test(lifetime) || lifetime === '1m'
      if (!isShort) return `expected a link of a minute at most, asked for ${lifetime}`
      return link.includes('/objects/') && !text.includes(link)
        ? ''
        : `expected the link in Location alone, got ${link}`
    },
  )
}

async function storedMetadata(
  bench: ConformanceSuite,
  uuid: string,
): Promise<Readonly<Record<string, unknown>>> {
  const file = await bench.prepare('getFileMeta', '', { params: { uuid } })
  const metadata = isRecord(file) ? file['metadata'] : undefined
  return isRecord(metadata) ? metadata : {}
}

/** Whether the file is still its uploader's: nobody else may look, they may, and what is stored says the same. */
async function stillOwned(
  bench: ConformanceSuite,
  uuid: string,
  stored: Readonly<Record<string, unknown>> | undefined,
): Promise<string> {
  const own = await bench.call('getFileMeta', people.initiator, { params: { uuid } })
  const other = await bench.call('getFileMeta', people.outsider, { params: { uuid } })
  if (own.status !== 200 || other.status !== 404) {
    return `expected 200 for the owner and 404 for others, got ${own.status} and ${other.status}`
  }
  const now = await storedMetadata(bench, uuid)
  const changed = Object.keys(stored ?? {}).find((key) => now[key] !== stored?.[key])
  return changed === undefined
    ? ''
    : `${changed} was changed from ${String(stored?.[changed])} to ${String(now[changed])}`
}

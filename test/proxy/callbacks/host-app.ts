import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import {
  createHttpServer,
  createListener,
  createRedis,
  nodeRuntime,
  openStorage,
} from '../../../src/proxy/node/index.ts'
import type { ProxyStorage } from '../../../src/proxy/mount/options.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'

// The program of a host, which tests kill: a proxy whose `onCallback` appends the id of each callback to a file. With LISTS, it
// keeps lists, and everybody may remind the approvers; `late` stores them only 200 ms after it has said so.

const { SERVICE = '', EFFECTS, DATA, LISTS, REDIS, LEASE = '15000', DELAY = '0' } = process.env
const isStopped = new Promise((resolve) => process.once('SIGTERM', resolve))
const redis =
  REDIS === undefined
    ? undefined
    : await createRedis(REDIS, { env: 'test', lease: Number(LEASE), log: () => {} })
const storage: ProxyStorage = redis ?? (DATA === undefined ? {} : await openStorage(DATA))
const index = storage.packageIndex
const late = (store: () => Promise<unknown>) => void pause(200).then(store)
const lateIndex = index && {
  ...index,
  request: (...request: Parameters<typeof index.request>) =>
    Promise.resolve(late(() => index.request(...request))),
  claimReminder(...claim: Parameters<typeof index.claimReminder>) {
    late(() => index.claimReminder(...claim))
    return Promise.resolve(true)
  },
}
const runtime = nodeRuntime()
const service = { baseUrl: SERVICE, clientId: 'demo-app', clientSecret: 'demo-secret' }
const proxy = createProxy({
  env: 'test',
  forms: [6025],
  services: { workflow: service, storage: { ...service, objectOrigins: [] } },
  identity: {
    identify(request) {
      const univid = request.headers.get('x-person')
      return LISTS === undefined || univid === null ? null : { univid }
    },
    policy: ({ operation }) => LISTS !== undefined && operation === 'remind',
  },
  runtime,
  storage: { ...storage, ...(LISTS === 'late' && lateIndex && { packageIndex: lateIndex }) },
  ...(LISTS !== undefined && { lists: {} }),
  callbacks: {
    ...(EFFECTS !== undefined && {
      async onCallback(_callback, _state, { id }) {
        await (DELAY === 'Infinity' ? isStopped : pause(Math.random() * Number(DELAY)))
        appendFileSync(EFFECTS, `${id}\n`)
      },
    }),
  },
})
const server = createHttpServer(createListener(proxy))
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => {
  server.close()
  void proxy
    .close()
    .then(() => redis?.close())
    .then(() => process.exit(0))
})

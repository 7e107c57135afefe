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
import { createProxy } from '../../../src/proxy/mount/proxy.ts'

// The program of a host: a proxy whose `onCallback` appends the id of each callback to a file. Tests kill it.

const { SERVICE = '', EFFECTS = '', DATA, LISTS, REDIS, LEASE = '15000', DELAY = '0' } = process.env
const isStopped = new Promise((resolve) => process.once('SIGTERM', resolve))
const redis =
  REDIS === undefined
    ? undefined
    : await createRedis(REDIS, { env: 'test', lease: Number(LEASE), log: () => {} })
const storage = redis ?? (DATA === undefined ? {} : await openStorage(DATA))
const runtime = nodeRuntime()
const service = { baseUrl: SERVICE, clientId: 'demo-app', clientSecret: 'demo-secret' }
const proxy = createProxy({
  env: 'test',
  forms: [6025],
  services: { workflow: service, storage: { ...service, objectOrigins: [] } },
  identity: { identify: () => null },
  runtime,
  storage,
  ...(LISTS !== undefined && { lists: {} }),
  callbacks: {
    async onCallback(_callback, _state, { id }) {
      await (DELAY === 'Infinity' ? isStopped : pause(Math.random() * Number(DELAY)))
      appendFileSync(EFFECTS, `${id}\n`)
    },
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { ChildProcess } from 'node:child_process'
import { freePort } from '../../free-port.mjs'
import { createMemoryIndex } from '../../../src/proxy/desk/package-index.ts'
import { createRedis } from '../../../src/proxy/node/redis/redis.ts'
import { openStorage } from '../../../src/proxy/node/storage/storage.ts'
import { patient, startServer, stopServer } from '../node/redis/redis-server.ts'
import { testIndex } from './index-contract.ts'

testIndex('in memory', () => Promise.resolve({ index: createMemoryIndex(), close: () => {} }))
testIndex('on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  const { packageIndex, close } = await openStorage(folder)
  return {
    index: packageIndex,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
})

const directory = mkdtempSync(join(tmpdir(), 'routeslip-redis-'))
const port = await freePort()
let server: ChildProcess
before(async () => {
  server = await startServer(port, directory)
})
after(async () => {
  await stopServer(server)
  rmSync(directory, { recursive: true })
})
let opened = 0
testIndex('in Redis', async () => {
  const options = { env: 'test', prefix: `index-${++opened}:`, log: () => {}, ...patient } as const
  const { packageIndex, close } = await createRedis(`redis://127.0.0.1:${port}`, options)
  return { index: packageIndex, close }
})

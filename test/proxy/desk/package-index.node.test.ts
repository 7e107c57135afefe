import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryIndex } from '../../../src/proxy/desk/package-index.ts'
import { openStorage } from '../../../src/proxy/node/storage/storage.ts'
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

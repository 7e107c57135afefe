import { openDataDirectory } from '../../src/cli/data-directory.ts'
import { emptyState } from '../../src/emulator/state/state.ts'

// What `data-directory.node.test.ts` kills: numbers the state ever higher, and says which number is saved. Several saves
// are under way at any time, as with a server.

const { state, save } = await openDataDirectory(process.argv[2] ?? '')
const numbered = state ?? emptyState()
// So much that a write takes its time.
for (let id = 0; id < 300; id++) numbered.positions.set(`${id}`, 'x'.repeat(1000))

for (let loop = 0; loop < 3; loop++) void saveOn()

async function saveOn(): Promise<never> {
  for (;;) {
    const number = ++numbered.next.id
    numbered.next.packageId = number
    await save(numbered)
    process.stdout.write(`${number}\n`)
  }
}

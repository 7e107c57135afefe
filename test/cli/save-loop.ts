import { openDataDirectory } from '../../src/cli/data-directory.ts'
import { emptyState } from '../../src/emulator/state/state.ts'

// `data-directory.node.test.ts` kills this process. It increments a number in the state and prints each number that is
// saved. As in a server, several saves run concurrently.

const { state, save } = await openDataDirectory(process.argv[2] ?? '')
const numbered = state ?? emptyState()
// Makes the state so large that a write takes a while.
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

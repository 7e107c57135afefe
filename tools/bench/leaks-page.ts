// The page of the benchmark `leaks`: all elements, with the proxy and the emulator in the page.
import '../../src/define/index.ts'
import { createBackend } from '../../stories/backend.ts'

Object.assign(globalThis, { backend: createBackend() })

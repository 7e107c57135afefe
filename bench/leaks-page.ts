// The page of the benchmark `leaks`: all elements, with the proxy and the emulator in the page.
// The load: clients of ours over raw sockets, which cost a fraction of an HTTP client, so that little of the machine is
import '../src/define/index.ts'
import { createBackend } from '../stories/backend.ts'

Object.assign(globalThis, { backend: createBackend() })

// The page of the benchmark `leaks`: all elements, and the whole system behind them in the page itself.
import '../src/define/index.ts'
import { createBackend } from '../stories/backend.ts'

Object.assign(globalThis, { backend: createBackend() })

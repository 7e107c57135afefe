// The page of the benchmark `submissions`: forms with a proxy and the services that die, all in the page.
import { submitMany } from '../../test/elements/wf-form/kills.ts'

Object.assign(globalThis, { submitMany })

import type { EmulatorState } from '../state/state.ts'
import { campus } from './campus.ts'
import { demo } from './demo.ts'
import { large } from './large.ts'
import { small } from './small.ts'

/** Name of a scenario. */
export type ScenarioName = 'small' | 'demo' | 'campus' | 'large'

/** Functions that create the seeds of the emulator, by scenario name. Each call creates a new state with the same content. */
export const scenarios: Readonly<Record<ScenarioName, () => EmulatorState>> = {
  small,
  demo,
  campus,
  large,
}

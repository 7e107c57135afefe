import type { EmulatorState } from '../state/state.ts'
import { campus } from './campus.ts'
import { large } from './large.ts'
import { small } from './small.ts'

/** Name of a scenario. */
export type ScenarioName = 'small' | 'campus' | 'large'

/** Seeds of the emulator by the name of their scenario. Each call makes a new one, always the same. */
export const scenarios: Readonly<Record<ScenarioName, () => EmulatorState>> = { small, campus, large }

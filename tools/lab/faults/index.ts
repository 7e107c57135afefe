export type { Fault } from './fault.ts'
import type { Fault } from './fault.ts'
import { networkFaults, transferFaults } from './network.ts'
import { pageFaults } from './pages.ts'
import { responseFaults } from './responses.ts'
import { streamFaults } from './streams.ts'

/** A heading of the page, and the faults below it. */
export interface FaultGroup {
  readonly title: string
  readonly faults: readonly Fault[]
}

export const faultGroups: readonly FaultGroup[] = [
  { title: 'Connections', faults: networkFaults },
  { title: 'Responses of the services', faults: byId([...responseFaults, ...transferFaults]) },
  { title: 'The browser and the page', faults: pageFaults },
  { title: 'Live events and callbacks', faults: streamFaults },
]

/** All faults of the laboratory. */
export const faults: readonly Fault[] = faultGroups.flatMap((group) => group.faults)

function byId(unsorted: readonly Fault[]): readonly Fault[] {
  return unsorted.toSorted((a, b) => a.id.localeCompare(b.id))
}

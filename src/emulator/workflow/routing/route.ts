import type { Permission } from '../../../contract/values.ts'
import type {
  Destination,
  EmulatorState,
  Form,
  OfficeRoute,
  OfficeSource,
  Stop,
  StopPosition,
  StoredPackage,
} from '../../state/state.ts'

/** Someone whom a stop leads to, before overrides. */
export interface Recipient {
  /** University id. */
  readonly univid: string
  readonly permission: Permission
  /** Role that resolved to the person; null: the route names the person. */
  readonly role: string | null
  /** Natural key of the office, for an office destination. */
  readonly office: string | null
  /** Natural key of the office that the package is routing through, else of the one that owns the form. */
  readonly responsibleOffice: string
}

/** A stop as it is for one package. */
export interface CalculatedStop {
  readonly name: string
  /** From 1. */
  readonly stopNumber: number
  readonly position: StopPosition
  readonly autoSign: boolean
  readonly recipients: readonly Recipient[]
}

/**
 * Calculates the route of a package from its present sub-type and entry: steps that lead through an office become the
 * stops of that office's route, roles become people.
 */
export function calculateRoute(
  state: EmulatorState,
  form: Form,
  { subType, entry }: Pick<StoredPackage, 'subType' | 'entry'>,
): readonly CalculatedStop[] {
  const stops = form.route.flatMap((step, index): readonly Placed[] => {
    if (step.subTypes && (subType === null || !step.subTypes.includes(subType))) return []
    if ('destinations' in step) return [{ stop: step, position: [index, 0], through: null }]
    const office = officeOf(form, step.office, entry)
    const route = findOfficeRoute(state, office, form.id, subType)
    if (!route || (step.mayOptOut && route.optOutIfPossible)) return []
    return route.stops.map((stop, inside) => ({ stop, position: [index, inside], through: route.office }))
  })

  return stops.map(({ stop: { name, autoSign = false, destinations }, position, through }, index) => ({
    name,
    stopNumber: index + 1,
    position,
    autoSign,
    recipients: destinations.flatMap((destination) => resolve(state, form, entry, destination, through)),
  }))
}

/** A stop, where it stands, and the office whose route it belongs to. */
interface Placed {
  readonly stop: Stop
  readonly position: StopPosition
  readonly through: string | null
}

/** Position of a package that has not arrived at any stop. */
export const beforeRoute: StopPosition = [0, -1]

/** The stop at a position; `undefined` where an edit of the entry has taken it out of the route. */
export function stopAt(
  route: readonly CalculatedStop[],
  [step, stop]: StopPosition,
): CalculatedStop | undefined {
  return route.find(({ position }) => position[0] === step && position[1] === stop)
}

/** The stops that lie behind a position. */
export function stopsAfter(
  route: readonly CalculatedStop[],
  [step, stop]: StopPosition,
): readonly CalculatedStop[] {
  return route.filter(({ position }) => position[0] > step || (position[0] === step && position[1] > stop))
}

/** The route of an office for a form, else that of the nearest office above it. */
export function findOfficeRoute(
  state: EmulatorState,
  office: string,
  formId: number,
  subType: string | null,
): OfficeRoute | undefined {
  for (let key = office; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('-')))) {
    for (const route of state.officeRoutes.values()) {
      const isFor = route.formId === formId && (route.subType === null || route.subType === subType)
      if (route.office === key && isFor) return route
    }
  }
  return undefined
}

function resolve(
  state: EmulatorState,
  form: Form,
  entry: StoredPackage['entry'],
  destination: Destination,
  through: string | null,
): readonly Recipient[] {
  const { permission } = destination
  if (destination.type === 'PERSON') {
    const { univid } = destination
    return [{ univid, permission, role: null, office: null, responsibleOffice: through ?? form.office }]
  }

  const office = officeOf(form, destination.office, entry)
  const univid = state.offices.get(office)?.roles[destination.role]
  return univid === undefined
    ? []
    : [{ univid, permission, role: destination.role, office, responsibleOffice: office }]
}

/** An entry that names no office leads to the one that owns the form. */
function officeOf(form: Form, source: OfficeSource, entry: StoredPackage['entry']): string {
  if (typeof source === 'string') return source
  const value = entry[source.field]
  return typeof value === 'string' ? value : form.office
}

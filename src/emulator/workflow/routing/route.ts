import type { Permission } from '../../../contract/values/values.ts'
import type { Destination, Form, OfficeRoute, OfficeSource, Stop } from '../../state/stored-forms.ts'
import type { EmulatorState } from '../../state/state.ts'
import type { StopPosition, StoredPackage } from '../../state/stored-packages.ts'

/** A person who receives a package at a stop, before overrides. */
export interface StopRecipient {
  /** University id. */
  readonly univid: string
  readonly permission: Permission
  /** Role that resolved to the person. Null if the route names the person. */
  readonly role: string | null
  /** Natural key of the office of an `OFFICE_ROLE` destination, else null. */
  readonly office: string | null
  /** Natural key of the office whose route contains the stop, else of the office that owns the form. */
  readonly responsibleOffice: string
}

/** A stop of the route of one package. */
export interface CalculatedStop {
  readonly name: string
  /** From 1. */
  readonly stopNumber: number
  readonly position: StopPosition
  readonly autoSign: boolean
  readonly recipients: readonly StopRecipient[]
}

/**
 * Calculates the route of a package from its current sub-type and entry. Office steps are replaced by the stops of the
 * office's route, and roles by people.
 */
export function calculateRoute(
  state: EmulatorState,
  form: Form,
  { subType, entry }: Pick<StoredPackage, 'subType' | 'entry'>,
): readonly CalculatedStop[] {
  const stops = form.route.flatMap((step, index): readonly PositionedStop[] => {
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

/** A stop with its position and the office whose route contains it. */
interface PositionedStop {
  readonly stop: Stop
  readonly position: StopPosition
  readonly through: string | null
}

/** Position of a package that has not arrived at any stop. */
export const beforeRoute: StopPosition = [0, -1]

/** Returns the position behind the last stop of a form's route. */
export function positionBeyondRoute(form: Form): StopPosition {
  return [form.route.length, 0]
}

/** Whether a position is behind the last stop of a form's route. */
export function isBeyondRoute(form: Form, position: StopPosition): boolean {
  return position[0] === form.route.length
}

/** Returns the stop at a position, or `undefined` if an edit of the entry has removed it from the route. */
export function stopAt(
  route: readonly CalculatedStop[],
  [step, stop]: StopPosition,
): CalculatedStop | undefined {
  return route.find(({ position }) => position[0] === step && position[1] === stop)
}

/** Returns the stops after a position. */
export function stopsAfter(
  route: readonly CalculatedStop[],
  [step, stop]: StopPosition,
): readonly CalculatedStop[] {
  return route.filter(({ position }) => position[0] > step || (position[0] === step && position[1] > stop))
}

/** Returns the route of an office for a form. If it has none, returns the route of the nearest office above it. */
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
): readonly StopRecipient[] {
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

/** Returns the office that a source names. If the entry names none, returns the office that owns the form. */
function officeOf(form: Form, source: OfficeSource, entry: StoredPackage['entry']): string {
  if (typeof source === 'string') return source
  const value = entry[source.field]
  return typeof value === 'string' ? value : form.office
}

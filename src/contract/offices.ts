import { z } from 'zod'
import { officeKey } from './parameters.ts'
import { flag, id, optionalId, rows, text } from './tolerant.ts'

/** An office of the institution. */
export const Office = z.object({
  id: optionalId,
  /** Local date-time of the last synchronisation with the institution's directory. */
  lastSynced: text,
  name: text,
  /** `NN`, `NN-NNNN` or `NN-NNNN-NNNN`. */
  naturalKey: z.string(),
  /** Values seen: department, sub_department. */
  scopeNaturalKey: text,
  /** Values seen: IMPORTED, CREATED. */
  state: text,
})
export type Office = z.output<typeof Office>

export const OfficeList = rows(Office)

/** Route that an office has for a form. */
export const OfficeRouteAssignment = z.object({
  routeId: id,
  /** Value seen: DEFAULT_OFFICE. */
  routeType: text,
  routeName: text,
  /** Whether the office is left out where the form's route lets it. */
  optOutIfPossible: flag,
})
export type OfficeRouteAssignment = z.output<typeof OfficeRouteAssignment>

/** One destination of a stop, as an office route is summed up. */
export const RouteDestination = z.object({
  /** Values seen: PERSON, OFFICE_ROLE. */
  type: text,
  subject: text,
  approverUnivid: text,
  approverName: text,
  permission: text,
})
export type RouteDestination = z.output<typeof RouteDestination>

/** What an office route consists of. */
export const OfficeRouteSummary = z.object({
  type: text,
  name: text,
  stops: rows(z.object({ name: text, destinations: rows(RouteDestination).nullable().catch(null) }))
    .nullable()
    .catch(null),
})
export type OfficeRouteSummary = z.output<typeof OfficeRouteSummary>

export const OfficeRouteSummaryList = rows(OfficeRouteSummary)

/** Query of the office search: the natural key of an office. */
export const OfficeSearchQuery = z.strictObject({ searchTerm: officeKey })
export type OfficeSearchQuery = z.output<typeof OfficeSearchQuery>

/** Query of the second shape of the office search. */
export const OfficesQuery = z.strictObject({ key: officeKey })
export type OfficesQuery = z.output<typeof OfficesQuery>

/** Query of the route assignment: the sub-type, for forms that use them. */
export const OfficeRouteQuery = z.strictObject({ subType: z.string().min(1).optional() })
export type OfficeRouteQuery = z.output<typeof OfficeRouteQuery>

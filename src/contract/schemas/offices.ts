import { z } from 'zod'
import { count, flag, id, officeKey, optionalId, rows, text } from './field-schemas.ts'

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
  /** Whether the route skips the office if the form allows it. */
  optOutIfPossible: flag,
})
export type OfficeRouteAssignment = z.output<typeof OfficeRouteAssignment>

/** A destination of a stop in the summary of an office route. */
export const RouteDestination = z.object({
  /** Values seen: PERSON, OFFICE_ROLE. */
  type: text,
  subject: text,
  approverUnivid: text,
  approverName: text,
  permission: text,
})
export type RouteDestination = z.output<typeof RouteDestination>

/** Summary of an office route: its stops and their destinations. */
export const OfficeRouteSummary = z.object({
  type: text,
  name: text,
  stops: rows(z.object({ name: text, destinations: rows(RouteDestination).nullable().catch(null) }))
    .nullable()
    .catch(null),
})
export type OfficeRouteSummary = z.output<typeof OfficeRouteSummary>

export const OfficeRouteSummaryList = rows(OfficeRouteSummary)

/** Summary of an office route as browsers get it: without the university ids of the approvers. */
export const RouteSummary = z.object({
  type: text,
  name: text,
  stops: rows(
    z.object({
      name: text,
      destinations: rows(
        RouteDestination.omit({ approverUnivid: true }).extend({
          /** The same number wherever the summary names the same approver. Null if the service names nobody. */
          approver: count,
          /** Whether the signed-in user is the approver. */
          isSelf: flag,
        }),
      )
        .nullable()
        .catch(null),
    }),
  )
    .nullable()
    .catch(null),
})
export type RouteSummary = z.output<typeof RouteSummary>

export const RouteSummaryList = rows(RouteSummary)

/** Query of the office search: the natural key of an office. */
export const OfficeSearchQuery = z.strictObject({ searchTerm: officeKey })
export type OfficeSearchQuery = z.output<typeof OfficeSearchQuery>

/** Query of the second form of the office search. */
export const OfficesQuery = z.strictObject({ key: officeKey })
export type OfficesQuery = z.output<typeof OfficesQuery>

/** Query of the route assignment. Only forms with sub-types need it. */
export const OfficeRouteQuery = z.strictObject({ subType: z.string().min(1).optional() })
export type OfficeRouteQuery = z.output<typeof OfficeRouteQuery>

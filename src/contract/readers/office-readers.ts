import { count, flag, id, object, orNull, rows, text } from './field-readers.ts'
import type { OfficeRouteAssignment, RouteSummary } from '../schemas/offices.ts'
import { office } from './page-readers.ts'

const officeRoute = object<OfficeRouteAssignment>({
  routeId: id,
  routeType: text,
  routeName: text,
  optOutIfPossible: flag,
})

type SummaryStop = NonNullable<NonNullable<RouteSummary['stops']>[number]>
type SummaryDestination = NonNullable<NonNullable<SummaryStop['destinations']>[number]>

const routeSummary = object<RouteSummary>({
  type: text,
  name: text,
  stops: orNull(
    rows(
      object<SummaryStop>({
        name: text,
        destinations: orNull(
          rows(
            object<SummaryDestination>({
              type: text,
              subject: text,
              approverName: text,
              permission: text,
              approver: count,
              isSelf: flag,
            }),
          ),
        ),
      }),
    ),
  ),
})

/** The readers of the JSON responses to `officeSearchRoutes`. */
export const officeSearchReaders = {
  searchOffices: rows(office),
  findOffices: rows(office),
}

/** The readers of the JSON responses to `officeRouteRoutes`. */
export const officeRouteReaders = {
  getOfficeRoute: officeRoute,
  getRouteSummary: rows(routeSummary),
}

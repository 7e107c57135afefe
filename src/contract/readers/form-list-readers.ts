import type { StopReference } from '../schemas/history.ts'
import type { FormListRow, FormRequestList } from '../schemas/lists.ts'
import { object, orNull, type Reader, rows, text } from './field-readers.ts'
import { listReaders } from './list-readers.ts'

const place = object<Pick<FormListRow, 'stops'>>({
  stops: orNull(
    rows(
      object<StopReference>({
        name: text,
        stopNumber: (value) => (Number.isSafeInteger(value) ? Number(value) : null),
      }),
    ),
  ),
})
const places = object<{ rows: (Pick<FormListRow, 'stops'> | null)[] }>({ rows: rows(place) })

/** Reads a list like any other, and the stops of its rows. */
const getFormList: Reader<FormRequestList> = (value) => {
  const list = listReaders.getList(value)
  const found = places(value)?.rows ?? []
  return (
    list && { ...list, rows: list.rows.map((row, at) => row && { ...row, stops: found[at]?.stops ?? null }) }
  )
}

/** The reader of the JSON response to `getFormList`, apart from the others because few pages have such a list. */
export const formListReaders = { getFormList }

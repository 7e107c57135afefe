import * as v from 'valibot'

const person = v.object({
  id: v.pipe(v.number(), v.integer()),
  univid: v.nullable(v.string()),
  displayName: v.string(),
  email: v.nullable(v.string()),
})

const status = v.object({
  packageId: v.pipe(v.number(), v.integer(), v.minValue(1)),
  state: v.picklist(['INITIATED', 'IN_ROUTING', 'COMPLETE', 'VOID', 'REMOVED']),
  lastModified: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)),
  waitingFor: v.array(v.union([person, v.object({ office: v.string() })])),
})

export function read(text) {
  return v.parse(status, text)
}

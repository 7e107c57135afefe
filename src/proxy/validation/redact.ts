import { isRecord } from '../../contract/values/values.ts'

/** Contact details of a person. */
const contactDetails = ['email', 'campusPostalAddress', 'officePhone', 'loginid'] as const

/**
 * Removes the contact details of people from a value, in place, and returns it. The service sends them to applications, but
 * not every visitor of a page may see them. If `directoryRestricted` is false, the details are kept. If a person has no such
 * field, the person is not changed.
 */
export function redactRestricted(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(redactRestricted)
  else if (isRecord(value)) {
    if ('directoryRestricted' in value && value['directoryRestricted'] !== false) {
      for (const name of contactDetails) if (name in value) value[name] = null
    }
    for (const name in value) {
      if (typeof value[name] === 'object') redactRestricted(value[name])
    }
  }
  return value
}

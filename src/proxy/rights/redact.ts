import { isRecord } from '../../contract/record.ts'
/** Contact details of a person. */
const contactDetails = ['email', 'campusPostalAddress', 'officePhone', 'loginid'] as const

/**
 * Removes the contact details of people from a value, in place, and returns it. Keeps those of people whom the directory
 * marks as not restricted (`directoryRestricted`): the service sends contact details to applications, not to every visitor
 * of a page. If a response of the service does not contain the mark, it is not changed.
 */
export function redactRestricted(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(redactRestricted)
  else if (isRecord(value)) {
    if ('directoryRestricted' in value && value['directoryRestricted'] !== false) {
      for (const name of contactDetails) if (name in value) value[name] = null
    }
    for (const member of Object.values(value)) {
      if (typeof member === 'object') redactRestricted(member)
    }
  }
  return value
}

import { isRecord } from '../../contract/record.ts'
/** Fields of a person by which they can be reached. */
const contactDetails = ['email', 'campusPostalAddress', 'officePhone', 'loginid'] as const

/**
 * The same value, without the contact details of people, except where the directory says that they are not restricted
 * (`directoryRestricted`): the service tells them to applications, and they are not for every visitor of a page. Not every
 * answer of the service says so; where it does not, they stay here.
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

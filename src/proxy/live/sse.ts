/** Returns the fields of a server-sent event with JSON data (HTML, 9.2.5). The caller adds the blank line. */
export function eventFields(event: string, data: unknown): string {
  return eventField('event', event) + eventField('data', JSON.stringify(data))
}

/** Returns one field of a server-sent event, on one line whatever the value contains. */
export function eventField(name: string, value: string): string {
  return `${name}: ${value.replaceAll(/[\r\n\0]/g, '')}\n`
}

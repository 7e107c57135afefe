import { type Backend, people } from '../../../stories/backend.ts'

type Stored = NonNullable<ReturnType<Backend['emulator']['packages']['test']['get']>>['attachments'][number]

let lastId = 500

/** Adds an attachment to package 42 of the service: an itinerary, unless the facts differ. Returns its id. */
export function attach(backend: Backend, facts: Partial<Stored>): number {
  const id = facts.id ?? ++lastId
  backend.emulator.packages.test.get(42)!.attachments.push({
    id,
    type: 1,
    fileName: 'file.pdf',
    description: '',
    contentType: 'application/pdf',
    person: people.initiator,
    fileSize: 48_213,
    uploadTimestamp: '2026-11-16T09:40:00',
    object: 'seed',
    ...facts,
  })
  return id
}

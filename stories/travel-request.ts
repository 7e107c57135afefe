import { type Backend, people } from './backend.ts'
import { after, call, sign } from './routing.ts'

/** Creates a backend with content for each element: package 42 is signed once and has comments and an attachment. */
export function travelRequest(person: string = people.initiator): Backend {
  return after(async (backend) => {
    const comment = (univid: string, text: string) =>
      call(backend, 'POST', '/_emulator/test/forms/6025/packages/42/comments', { univid, comment: text })
    await comment(people.firstApprover, 'The hotel costs more than the grant allows. Is there another fund?')
    await comment(people.initiator, 'Yes, the travel fund takes the rest.')
    backend.emulator.packages.test.get(42)?.attachments.push({
      id: 501,
      type: 1,
      fileName: 'itinerary.pdf',
      description: 'With the change of 14 November',
      person: people.initiator,
      uploadTimestamp: '2026-11-16T09:40:00',
      contentType: 'application/pdf',
      fileSize: 48_213,
      object: 'seed',
    })
    await sign(backend, people.firstApprover, '0s')
  }, person)
}

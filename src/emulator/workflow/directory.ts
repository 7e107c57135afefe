import type { Person } from '../../contract/schemas/person.ts'
import type { ResponseBody } from '../http/handler.ts'
import type { EmulatorState } from '../state/state.ts'
import type { EmulatorContext } from '../context.ts'

/** Returns the person with this university id, or the client with this id in the shape of a person, or null. */
export function toPerson({ state, specOptions }: EmulatorContext, user: string): ResponseBody<Person> | null {
  const person = state.people.get(user) ?? clientAsPerson(state, user)
  if (!person || specOptions.personFields === 'extended') return person ?? null
  const { naturalKey: _key, type: _type, loginid: _login, jobCode: _job, ...rest } = person
  const { directoryRestricted: _isRestricted, activeUser: _isActive, ...common } = rest
  return common
}

/** Returns the display name of a user, or the id if the directory does not contain it. */
export function displayName({ state }: EmulatorContext, user: string): string {
  return state.people.get(user)?.displayName ?? user
}

/** Returns a client in the shape of a person. Its id is its index among the clients, in a range of its own. */
function clientAsPerson({ clients }: EmulatorState, clientId: string): Person | undefined {
  const index = [...clients.keys()].indexOf(clientId)
  if (index < 0) return undefined
  return {
    id: 900_001 + index,
    displayName: clientId,
    hrdeptdesc: null,
    collegeName: null,
    personType: 'CLIENT',
    title: null,
    univid: null,
    email: null,
    campusPostalAddress: null,
    officePhone: null,
    naturalKey: clientId,
    type: 'client',
    loginid: null,
    jobCode: null,
    directoryRestricted: null,
    activeUser: null,
  }
}

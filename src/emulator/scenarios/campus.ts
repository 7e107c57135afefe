import type { Environment } from '../../contract/values/values.ts'
import { type EmulatorState, shareKey } from '../state/state.ts'
import { createBuilder } from './builder.ts'
import { campusFiles, campusShares } from './campus-files.ts'
import { campusForms, campusOfficeRoutes, campusOffices, campusPositions } from './campus-forms.ts'
import {
  type CampusPackageName,
  campusPackageNames,
  type CampusStory,
  campusStories,
  subTypes,
  validEntries,
} from './campus-packages.ts'
import { campusPeople, campusUnivid } from './campus-people.ts'
import { small } from './small.ts'

/**
 * Creates the scenario `campus`: everything in `small`, five more forms, three offices with routes, forty people, and one
 * package in each environment for each situation in `campusPackages`.
 */
export function campus(): EmulatorState {
  const state = small()
  for (const person of campusPeople) state.people.set(person.univid ?? '', { ...person })
  for (const office of campusOffices) state.offices.set(office.naturalKey, structuredClone(office))
  for (const [number, title] of campusPositions) state.positions.set(number, title)
  for (const route of campusOfficeRoutes) state.officeRoutes.set(route.routeId, structuredClone(route))

  const builder = createBuilder(state)
  for (const env of environments) {
    for (const form of campusForms()) state.forms[env].set(form.id, form)
    campusPackageNames.forEach((name, index) => {
      const { formId, packageId: id } = campusPackages[env][name]
      const initiator = campusInitiators[index % campusInitiators.length] ?? ''
      const first = firstPackage[env].at + index * packageInterval
      const at = new Date(first).toISOString().slice(0, 19)
      const { plan = {}, steps }: CampusStory = campusStories[name]
      const entry = { ...validEntries[formId]?.(initiator), ...plan.entry }
      const script = builder.script({
        initiator,
        subType: subTypes[formId] ?? null,
        ...plan,
        env,
        formId,
        id,
        at,
        entry,
      })
      steps?.(script, plan.initiator ?? initiator)
    })
    for (const file of campusFiles(env)) state.files[env].set(file.asset.uuid, file)
    for (const share of campusShares(env)) {
      const { ownerClientId, granteeClientId, fileAssetUuid } = share
      state.shares[env].set(shareKey(ownerClientId, granteeClientId, fileAssetUuid), share)
    }
  }
  builder.play()
  return state
}

const environments = ['test', 'prod'] as const satisfies readonly Environment[]

/** Id and creation time of the first package in each environment. */
const firstPackage: Readonly<Record<Environment, { readonly id: number; readonly at: number }>> = {
  test: { id: 1001, at: Date.UTC(2026, 8, 2, 9, 12, 40) },
  prod: { id: 2001, at: Date.UTC(2026, 8, 1, 10, 47, 5) },
}

/** Time between the creation of two packages, in milliseconds: about 29 hours. */
const packageInterval = 104_583_000

/** The initiators, in turn. One is restricted in the directory, one has a single name. */
const campusInitiators = [3, 4, 11, 19, 20, 32, 33, 34, 35, 36, 1].map(campusUnivid)

/** Form and id of each package in the scenario `campus`. */
export const campusPackages = {
  test: packageAddresses('test'),
  prod: packageAddresses('prod'),
} as const

function packageAddresses(
  env: Environment,
): Readonly<Record<CampusPackageName, { readonly formId: number; readonly packageId: number }>> {
  const pairs = campusPackageNames.map((name, index) => {
    return [name, { formId: campusStories[name].formId, packageId: firstPackage[env].id + index }]
  })
  return Object.fromEntries(pairs) as Record<CampusPackageName, { formId: number; packageId: number }>
}

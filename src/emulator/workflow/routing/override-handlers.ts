import { currentHolder } from './overrides.ts'
import { reassignSignatures } from './routing.ts'
import { deletedResponse, findViewablePackage, findWritablePackage } from '../packages.ts'
import type { Handlers } from '../../http/handler.ts'
import { ServiceError } from '../../http/service-error.ts'

/** Handlers of routing overrides. */
export const overrideHandlers = {
  createOverride(context, { params, body, caller }) {
    const record = findWritablePackage(context, params, caller)
    const { pkg } = record
    const { subjectUnivid, replacementUnivid } = body
    for (const [name, univid] of Object.entries({ subjectUnivid, replacementUnivid })) {
      if (!context.state.people.has(univid))
        throw new ServiceError(400, `${name}: person ${univid} does not exist`)
    }
    if (currentHolder(pkg, replacementUnivid) === subjectUnivid) {
      throw new ServiceError(400, 'replacementUnivid must not lead back to the subject of the override')
    }
    if (pkg.overrides.some((override) => override.subjectUnivid === subjectUnivid)) {
      throw new ServiceError(409, `An override of ${subjectUnivid} is already active. Deactivate it first.`)
    }
    pkg.overrides = [...pkg.overrides, body]
    reassignSignatures(context, record)
    return body
  },

  getOverrides: (context, { params, caller }) => findViewablePackage(context, params, caller).pkg.overrides,

  deactivateOverride(context, { params, caller }) {
    const record = findWritablePackage(context, params, caller)
    const { pkg } = record
    const others = pkg.overrides.filter(({ subjectUnivid }) => subjectUnivid !== params.univid)
    if (others.length === pkg.overrides.length) {
      throw new ServiceError(404, `${params.univid} has no active override`)
    }
    pkg.overrides = others
    reassignSignatures(context, record)
    return deletedResponse(context)
  },
} satisfies Partial<Handlers>

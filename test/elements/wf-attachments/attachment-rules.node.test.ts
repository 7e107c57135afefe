import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attachment, AttachmentType } from '../../../src/contract/schemas/attachments.ts'
import type { AllowedActions, Session } from '../../../src/contract/schemas/session.ts'
import {
  canAdd,
  isEverRequired,
  isLate,
  isRequiredNow,
  mayContribute,
  missingTypes,
  rulesFor,
  titleOf,
} from '../../../src/elements/wf-attachments/attachment-rules.ts'
import { attachments as messages } from '../../../src/locales/en-attachments.ts'
import type { Texts } from '../../../src/locales/messages.ts'

const type = (fields: object = {}) => ({ id: 1, title: null, naturalKey: null, ...fields }) as AttachmentType
const session = (allows: object) => ({ allows: { operations: [], ...allows } }) as unknown as Session
const actions = (fields: object) => fields as AllowedActions

const early = type({ visiblePreRouting: true })
const before = type({ requiredPreRouting: true })
const after = type({ requiredBeforeComplete: true })

describe('mayContribute()', () => {
  it('needs more than the right to view', () => {
    assert.equal(mayContribute({ state: '', session: undefined, actions: undefined }), true, 'not known')
    for (const [fields, may] of [
      [{ canView: true }, false],
      [{ canView: true, canEdit: false, packageId: 1 }, false],
      [{ canView: true, canEdit: true }, true],
      [{ canView: false, canVoid: true }, true],
    ] as const)
      assert.equal(mayContribute({ state: '', session: undefined, actions: actions(fields) }), may)
  })

  it('counts no right that the page has added to all objects (F45)', () => {
    Object.defineProperty(Object.prototype, 'inherited', {
      value: true,
      enumerable: true,
      configurable: true,
    })
    try {
      const viewer = { state: '', session: undefined, actions: actions({ canView: true }) }
      assert.equal(mayContribute(viewer), false)
    } finally {
      Reflect.deleteProperty(Object.prototype, 'inherited')
    }
  })
})

describe('canAdd()', () => {
  const rights = { state: 'ROUTING', session: undefined, actions: undefined }

  it('depends on the state, and before routing on the type', () => {
    for (const state of ['ROUTING', 'COMPLETE'])
      assert.equal(canAdd(type(), { ...rights, state }), true, state)
    for (const state of ['VOID', 'SOMETHING_NEW', ''])
      assert.equal(canAdd(early, { ...rights, state }), false, state)
    for (const state of ['PRE_ROUTING', 'DRAFT']) {
      assert.equal(canAdd(early, { ...rights, state }), true, state)
      assert.equal(canAdd(before, { ...rights, state }), true, state)
      assert.equal(canAdd(after, { ...rights, state }), false, state)
    }
  })

  it('needs the operation and the rights of the person, if they are known', () => {
    assert.equal(canAdd(type(), { ...rights, session: session({}) }), false)
    assert.equal(canAdd(type(), { ...rights, session: session({ operations: ['uploadAttachment'] }) }), true)
    assert.equal(canAdd(type(), { ...rights, actions: actions({ canView: true }) }), false)
  })
})

describe('isRequiredNow()', () => {
  it('depends on the stage, which the page may set', () => {
    for (const [state, until, types] of [
      ['DRAFT', '', [before]],
      ['PRE_ROUTING', '', [before]],
      ['ROUTING', '', [before, after]],
      ['COMPLETE', '', [before, after]],
      ['DRAFT', 'completion', [before, after]],
      ['ROUTING', 'routing', [before]],
      ['VOID', '', []],
      ['VOID', 'completion', []],
    ] as const)
      assert.deepEqual(
        [early, before, after].filter((one) => isRequiredNow(one, state, until)),
        types,
        `${state} ${until}`,
      )
  })
})

describe('isEverRequired() and isLate()', () => {
  it('know both kinds of requirement', () => {
    assert.deepEqual([early, before, after].map(isEverRequired), [false, true, true])
    assert.deepEqual(
      [early, before, after].map((one) => isLate(one, 'ROUTING')),
      [false, true, false],
    )
    assert.deepEqual(
      [before, after].map((one) => isLate(one, 'COMPLETE')),
      [true, true],
    )
    assert.equal(isLate(before, 'PRE_ROUTING'), false)
  })
})

describe('missingTypes()', () => {
  const [one, two] = [type({ id: 1 }), type({ id: 2 })]
  const attachment = { attachmentType: { id: 1 } } as Attachment

  it('returns the required types without an attachment', () => {
    const all = () => true
    assert.deepEqual(missingTypes([one, null, two], [attachment, null], all), [two])
    assert.deepEqual(
      missingTypes([one, two], [attachment], ({ id }) => id === 1),
      [],
    )
    assert.deepEqual(missingTypes([one, two], [{ attachmentType: null } as Attachment], all), [one, two])
    assert.equal(missingTypes(undefined, [], all), undefined)
    assert.equal(missingTypes([one], undefined, all), undefined)
  })
})

describe('rulesFor()', () => {
  it('takes the limits of the proxy, and those of the type', () => {
    const allows = { maxFileSize: 7, extensions: ['pdf'] }
    assert.deepEqual(rulesFor(type(), session(allows)), {
      maxSize: 7,
      extensions: ['pdf'],
      accept: undefined,
    })
    const pdf = type({ mimeTypeRestrictions: { pdf: true } })
    assert.deepEqual(rulesFor(pdf, undefined), { maxSize: 52_428_800, extensions: null, accept: '.pdf' })
    assert.equal(rulesFor(type({ mimeTypeRestrictions: { pdf: false } }), undefined).accept, undefined)
  })
})

describe('titleOf()', () => {
  it('prefers the title, then a readable form of the key', () => {
    const texts = messages as unknown as Texts['attachments']
    assert.equal(titleOf(type({ title: 'Itinerary', naturalKey: 'A_B' }), texts), 'Itinerary')
    assert.equal(titleOf(type({ naturalKey: 'TRAVEL_ITINERARY' }), texts), 'Travel itinerary')
    assert.equal(titleOf(type(), texts), messages.untitled)
  })
})

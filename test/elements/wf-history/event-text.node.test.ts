import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryEvent } from '../../../src/contract/schemas/history.ts'
import { compileMessages, numberRules } from '../../../src/elements/text/compile-messages.ts'
import {
  describeEvent,
  type EventKind,
  eventKindOf,
  type EventLanguage,
  personNameOf,
  stopKeyOf,
} from '../../../src/elements/wf-history/event-text.ts'
import { history } from '../../../src/locales/en-history.ts'
import { common } from '../../../src/locales/en.ts'

const rules = numberRules('en')
const language: EventLanguage = {
  messages: compileMessages(history, history, rules),
  common: compileMessages(common, common, rules),
  formatting: { language: 'en' },
}

const event = (fields: object = {}) =>
  ({
    ...{ '@class': 'signature', isInInbox: false, permission: 'SIGNATURE_REQUIRED', state: 'APPROVED' },
    ...{ person: { displayName: 'Ruth' }, autoSigned: false, office: null, resolution: null, stop: null },
    ...fields,
  }) as HistoryEvent

describe('eventKindOf()', () => {
  it('reads the outcome of a signature', () => {
    for (const [fields, kind] of [
      [{ state: 'APPROVED' }, 'signed'],
      [{ state: 'VOIDED' }, 'voided'],
      [{ state: 'RECEIVED' }, 'received'],
      [{ state: null }, 'received'],
      [{ state: 'DECLINED' }, 'other'],
      [{ state: 'constructor' }, 'other'],
      [{ state: 'BYPASSED_REMOVE' }, 'passed'],
      [{ state: 'BYPASSED_REMOVE', permission: 'SIGNATURE_PERMITTED' }, 'passed'],
      [{ state: 'BYPASSED_REMOVE', permission: null }, 'passed'],
      [{ state: 'BYPASSED_REMOVE', permission: 'VIEW_ONLY' }, 'received'],
      [{ state: 'BYPASSED_REMOVE', permission: 'VIEW_AND_EDIT' }, 'received'],
      [{ state: 'BYPASSED_REMOVE', permission: 'REVIEW_ONLY' }, 'passed'],
      [{ isInInbox: true }, 'now'],
      [{ isInInbox: true, permission: 'VIEW_AND_EDIT' }, 'now'],
      [{ isInInbox: true, permission: 'VIEW_ONLY' }, 'view'],
    ] as const)
      assert.equal(eventKindOf(event(fields)), kind, JSON.stringify(fields))
  })

  it('takes the name of the other classes, and knows no others', () => {
    for (const type of [
      'initiation',
      'void',
      'unvoid',
      'remove',
      're_initiate',
      'complete',
      'office_opt_out',
      'notification',
      'notification_unlock',
    ])
      assert.equal(eventKindOf(event({ '@class': type, isInInbox: true })), type)
    for (const type of ['signed', 'now', 'voided', 'avoid', 'void_again', ''])
      assert.equal(eventKindOf(event({ '@class': type })), 'other', type)
  })
})

describe('describeEvent()', () => {
  const text = (kind: EventKind, fields: object = {}) => describeEvent(event(fields), kind, language).join('')

  it('says who did what', () => {
    assert.deepEqual(describeEvent(event(), 'signed', language), ['Ruth', ' signed'])
    assert.equal(text('signed', { autoSigned: true }), 'Ruth signed automatically')
    assert.equal(text('received', { autoSigned: true }), 'Ruth received it')
    assert.equal(text('passed', { person: null }), 'Someone didn’t sign')
    assert.equal(text('initiation', { '@class': 'initiation', permission: null }), 'Ruth started routing')
    assert.equal(text('voided'), 'Ruth had their signature voided')
    assert.equal(text('remove', { '@class': 'remove' }), 'Ruth removed it from routing')
    assert.equal(text('re_initiate', { '@class': 're_initiate' }), 'Ruth started routing again')
    assert.equal(text('unvoid', { '@class': 'unvoid' }), 'Ruth reversed the void')
    assert.deepEqual(describeEvent(event(), 'complete', language), ['', 'Routing is complete'])
  })

  it('says what is ahead by the permission', () => {
    for (const kind of ['now', 'view', 'future'] as const) {
      assert.equal(text(kind), 'Ruth must sign')
      assert.equal(text(kind, { permission: 'VIEW_ONLY' }), 'Ruth may view')
      assert.equal(text(kind, { permission: 'MAY_FORWARD' }), 'Ruth May forward')
      assert.equal(text(kind, { permission: 'constructor' }), 'Ruth Constructor')
      assert.equal(text(kind, { permission: null }), 'Ruth: Signature')
    }
  })

  it('shows what is not known in a readable form', () => {
    assert.deepEqual(describeEvent(event({ state: 'ON_HOLD' }), 'other', language), ['Ruth', ': On hold'])
    assert.deepEqual(describeEvent(event({ state: 'ON_HOLD', person: null }), 'other', language), [
      '',
      'On hold',
    ])
    assert.equal(text('other', { state: null, person: null }), 'Signature')
    assert.equal(text('other', { '@class': 'office_moved', state: 'APPROVED' }), 'Ruth: Office moved')
  })

  it('names the office that opted out, and an application without a person', () => {
    const office = { name: 'Biology' }
    const resolution = { name: 'Chair of Biology' }
    assert.equal(text('office_opt_out', { office, resolution }), 'Biology opted out')
    assert.equal(text('office_opt_out', { resolution }), 'Chair of Biology opted out')
    assert.equal(text('office_opt_out'), 'Ruth opted out')
    assert.equal(text('signed', { office }), 'Ruth signed')
    assert.equal(text('notification', { person: null }), 'An application was notified')
    assert.equal(text('notification_unlock', { person: null }), 'An application let routing continue')
    assert.equal(text('notification'), 'Ruth was notified')
    assert.equal(text('void', { person: null }), 'Someone voided it')
  })
})

describe('personNameOf() and stopKeyOf()', () => {
  it('have a value for events without one', () => {
    assert.equal(personNameOf(event(), language.common), 'Ruth')
    for (const one of [null, event({ person: null }), event({ person: { displayName: null } })])
      assert.equal(personNameOf(one, language.common), 'Someone')
    assert.equal(stopKeyOf(event({ stop: { stopNumber: 2, name: 'Dean' } })), '2 Dean')
    for (const one of [null, undefined, event()]) assert.equal(stopKeyOf(one), '')
  })
})

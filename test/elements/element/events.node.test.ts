import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ForbiddenError, NotFoundError, SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import { showStates } from '../../../src/elements/element/element-states.ts'
import { type ElementState, slotOf } from '../../../src/elements/loading/loadable.ts'
import {
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../../../src/elements/element/events.ts'
import { WfCommentsCountEvent } from '../../../src/elements/wf-comments/wf-comments.events.ts'

describe('the events of elements', () => {
  it('leave their element and its shadow roots, and only the one before a change can be canceled', () => {
    const down = new UnavailableError('getPackage', 'got no response')
    for (const [event, type, isCancelable, facts] of [
      [new WfLoadEvent('content'), 'wf-load', false, { value: 'content' }],
      [new WfErrorEvent(down), 'wf-error', false, { error: down }],
      [new WfSignedOutEvent(), 'wf-signed-out', false, {}],
      [new WfCommentsCountEvent(3), 'wf-comments-count', false, { count: 3 }],
      [
        new WfBeforeChangeEvent('voidPackage', { a: 1 }),
        'wf-before-change',
        true,
        { operation: 'voidPackage', body: { a: 1 } },
      ],
      [
        new WfBeforeChangeEvent('releaseLock'),
        'wf-before-change',
        true,
        { operation: 'releaseLock', body: undefined },
      ],
      [
        new WfChangeEvent({ id: 42, state: 'VOID' }, 'ROUTING', 'VOID'),
        'wf-change',
        false,
        { value: { id: 42, state: 'VOID' }, from: 'ROUTING', to: 'VOID' },
      ],
      [
        new WfChangeEvent({ id: 42, state: 'VOID' }),
        'wf-change',
        false,
        { value: { id: 42, state: 'VOID' }, from: undefined, to: undefined },
      ],
    ] as const) {
      assert.deepEqual(
        [event.type, event.bubbles, event.composed, event.cancelable],
        [type, true, true, isCancelable],
      )
      assert.equal((event.constructor as typeof Event & { type?: string }).type, type)
      const own = Object.entries(event).filter(([name]) => name !== 'isTrusted')
      assert.deepEqual(Object.fromEntries(own), facts)
    }
  })
})

describe('slotOf()', () => {
  it('names the slot of an error that concerns the package or the person', () => {
    for (const [error, slot] of [
      [new ForbiddenError('a', 'b'), 'forbidden'],
      [new NotFoundError('a', 'b'), 'missing'],
      [new SignedOutError('a', 'b'), 'signed-out'],
      [new UnavailableError('a', 'b'), undefined],
      [new Error('x'), undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(slotOf(error), slot)
  })
})

describe('showStates()', () => {
  it('changes only the states that differ', () => {
    const calls: string[] = []
    const states = {
      add: (state: string) => calls.push(`+${state}`),
      delete: (state: string) => calls.push(`-${state}`),
    }
    const show = (before: readonly ElementState[], now: readonly ElementState[]) =>
      showStates({ states } as unknown as ElementInternals, before, now)
    show([], ['loading', 'busy'])
    show(['loading', 'busy'], ['loaded', 'busy'])
    show(['loaded', 'busy'], ['loaded', 'busy'])
    show(['loaded', 'busy'], [])
    assert.deepEqual(calls, ['+loading', '+busy', '-loading', '+loaded', '-loaded', '-busy'])
  })

  it('does nothing in browsers without states, or with names of another form', () => {
    showStates({} as ElementInternals, [], ['loaded'])
    const states = {
      add: () => {
        throw new SyntaxError('not a dashed ident')
      },
    }
    showStates({ states } as unknown as ElementInternals, [], ['loaded'])
  })
})

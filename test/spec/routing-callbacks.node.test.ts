import assert from 'node:assert/strict'
import type { CallbackBody } from '../../src/contract/schemas/callbacks.ts'
import { readPublicKey, readSignature } from '../../src/contract/values/public-key.ts'
import { parseTimestamp } from '../../src/contract/values/timestamp.ts'
import type { Package, PackageStatus12 } from '../../src/contract/schemas/workflow.ts'
import type { Mail, StoredCallback } from '../../src/emulator/state/stored-packages.ts'
import {
  complete,
  describeSection,
  people,
  type ReceivedCallback,
  type Receiver,
  sign,
  type System,
  travelEntry,
  withReceiver,
} from './system.ts'

const voidBody = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }

describeSection('routing/State-based callbacks', (it) => {
  it('a callback is sent for each change of state', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await system.ok('unvoidPackage')
      await system.ok('removePackage')
      await system.ok('reinitiatePackage')
      await system.ok('returnToInitiator', { body: { comment: 'Which hotel?' } })
      await system.control('POST', '/test/forms/6025/packages/42/submit', { univid: people.initiator })
      await complete(system)
      await system.ok('returnPackage', { body: { univid: people.viewer } })
      await nextMinute(system)
      assert.deepEqual(
        receiver.received.map(({ json }) => [json['packageId'], json['state'], json['stop']]),
        ['VOID', 'ROUTING', 'PRE_ROUTING', 'ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'ROUTING'].map(
          (state) => [42, state, null],
        ),
      )
    })
  })

  it('a callback is sent when a package starts routing', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      const { id: created } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
      const { id: routed } = await system.ok<Package>('createPackage', {
        body: { state: 'PRE_ROUTING', entry: travelEntry() },
      })
      await system.ok('routePackage', { params: { packageId: routed }, body: { state: 'ROUTING' } })
      await nextMinute(system)
      const routing = receiver.received.filter(({ json }) => json['state'] === 'ROUTING')
      assert.deepEqual(
        routing.map(({ json }) => json['packageId']),
        [created, routed],
      )
    })
  })

  it('no callback is sent if the state does not change', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('restartPackage')
      await sign(system, people.firstApprover)
      await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
      await system.ok('updateEntry', { body: travelEntry({ purpose: 'Field work on lake mussels' }) })
      await nextMinute(system)
      assert.deepEqual(receiver.received, [])
      await sign(system, people.secondApprover)
      await nextMinute(system)
      assert.deepEqual(states(receiver), ['COMPLETE'])
    })
  })

  it('no callback is sent for a rejected call', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.refused(409, 'unvoidPackage')
      await system.refused(409, 'createPackage', {
        params: { formId: 6026 },
        body: { subType: 'DOMESTIC', entry: { item: 'Lens', price: 9.5, needed_by: null } },
      })
      await nextMinute(system)
      assert.deepEqual(receiver.received, [])
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      assert.deepEqual(states(receiver), ['VOID'])
    })
  })

  it('no callback is sent after the URL was removed', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      await system.control('PUT', '/test/forms/6025/callback', { url: null })
      await system.ok('unvoidPackage')
      await nextMinute(system)
      assert.deepEqual(states(receiver), ['VOID'])
    })
  })

  it('each environment of a form has its own URL', async (system) => {
    await withReceiver(async (test) => {
      await withReceiver(async (prod) => {
        await listen(system, test)
        const production = { params: { env: 'prod' }, body: { entry: travelEntry() } }
        await system.ok('createPackage', production)
        await nextMinute(system)
        assert.deepEqual([test.received, prod.received], [[], []])

        await system.control('PUT', '/prod/forms/6025/callback', { url: prod.url })
        const { id } = await system.ok<Package>('createPackage', production)
        await system.ok('voidPackage', { body: voidBody })
        await nextMinute(system)
        assert.deepEqual(states(test), ['VOID'])
        assert.deepEqual(
          prod.received.map(({ json }) => [json['packageId'], json['state']]),
          [[id, 'ROUTING']],
        )
      })
    })
  })

  it('each form has its own URL', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await system.control('PUT', '/test/forms/6026/callback', { url: receiver.url })
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      assert.deepEqual(receiver.received, [])
      await system.control('PUT', '/test/forms/6025/callback', { url: receiver.url })
      await system.ok('unvoidPackage')
      await nextMinute(system)
      assert.deepEqual(states(receiver), ['ROUTING'])
    })
  })
})

describeSection('routing/Route-based callbacks', (it) => {
  it('without freeze, the callback is sent on arrival and routing continues by itself', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await atStop(system, 2, receiver)
      await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
      await sign(system, people.firstApprover)
      assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
      await nextMinute(system)
      const [callback, ...others] = receiver.received
      assert.deepEqual(others, [])
      assert.deepEqual(callback?.json['stop'], { name: 'College', stopNumber: 2 })
      assert.equal(callback?.json['state'], 'ROUTING')
      await sign(system, people.secondApprover)
      assert.equal((await getPackage(system)).state, 'COMPLETE')
    })
  })

  it('a route may have several callbacks, and each is sent for each package that arrives', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await atStop(system, 1, receiver)
      await atStop(system, 2, receiver)
      const { id: first } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
      const { id: second } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
      await sign(system, people.firstApprover, first)
      await nextMinute(system)
      assert.deepEqual(
        receiver.received.map(({ json }) => [json['packageId'], (json['stop'] as { name: string }).name]),
        [
          [first, 'Department'],
          [second, 'Department'],
          [first, 'College'],
        ],
      )
    })
  })

  it('the callback is sent again when a package arrives again after a restart', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await atStop(system, 1, receiver)
      await system.ok('restartPackage')
      await nextMinute(system)
      assert.equal(receiver.received.length, 1)
      await system.ok('restartPackage')
      await nextMinute(system)
      assert.equal(receiver.received.length, 2)
    })
  })

  it('no callback is sent after it was removed', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await atStop(system, 1, receiver)
      await system.ok('restartPackage')
      await nextMinute(system)
      await system.control('PUT', '/test/forms/6025/stops/1/callback', { url: null })
      await system.ok('restartPackage')
      await nextMinute(system)
      assert.equal(receiver.received.length, 1)
    })
  })

  it('freeze stops the route until its lock is deleted, whatever the receiver returns', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await atStop(system, 2, receiver, true)
      await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 } })
      await sign(system, people.firstApprover)
      assert.equal((await getPackage(system)).state, 'ROUTING')
      assert.deepEqual(await inboxes(system), [])
      assert.equal((await trySign(system, people.secondApprover)).status, 409)

      await nextMinute(system)
      await nextMinute(system)
      assert.equal(receiver.received.length, 1)
      await system.ok('uploadAttachment', { params: { attachmentTypeId: 3 } })
      assert.deepEqual(await inboxes(system), [])
      assert.equal((await trySign(system, people.secondApprover)).status, 409)

      await system.ok('deleteLock', { params: { lockId: lockOf(receiver) } })
      assert.deepEqual(await inboxes(system), ['Mei-Ling Zhou'])
      await sign(system, people.secondApprover)
      assert.equal((await getPackage(system)).state, 'COMPLETE')
    })
  })

  it('a package may freeze at the first stop', async (system) => {
    await withReceiver(async (receiver) => {
      await startMinute(system)
      await atStop(system, 1, receiver, true)
      const { id: packageId, state } = await system.ok<Package>('createPackage', {
        body: { entry: travelEntry() },
      })
      assert.equal(state, 'ROUTING')
      assert.deepEqual(await inboxes(system, packageId), [])
      await nextMinute(system)
      assert.equal(receiver.received[0]?.json['packageId'], packageId)
      await system.ok('deleteLock', { params: { packageId, lockId: lockOf(receiver) } })
      assert.deepEqual(await inboxes(system, packageId), ['Daniel Reyes', 'Ruth Lindqvist'])
    })
  })
})

describeSection('routing/Unfreeze route', (it) => {
  it('deleting a lock needs no body and succeeds', async (system) => {
    await withReceiver(async (receiver) => {
      const lockId = await freeze(system, receiver)
      const { status, text } = await system.call('deleteLock', { params: { lockId } })
      assert.ok(status >= 200 && status < 300)
      assert.equal(text, '')
    })
  })

  it('a wrong or used lock is not found', async (system) => {
    await withReceiver(async (receiver) => {
      const lockId = await freeze(system, receiver)
      for (const wrong of [lockId + 1, 1, 9007199254740991]) {
        await system.refused(404, 'deleteLock', { params: { lockId: wrong } })
      }
      assert.deepEqual(await inboxes(system), [])
      await system.ok('deleteLock', { params: { lockId } })
      await system.refused(404, 'deleteLock', { params: { lockId } })
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    })
  })

  it('a lock unfreezes only its own package', async (system) => {
    await withReceiver(async (receiver) => {
      const lockId = await freeze(system, receiver)
      const { id: packageId } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
      await system.refused(404, 'deleteLock', { params: { packageId, lockId } })
      await system.refused(404, 'deleteLock', { params: { formId: 6026, lockId } })
      await system.refused(404, 'deleteLock', { params: { env: 'prod', lockId } })
      await system.ok('deleteLock', { params: { lockId } })
      assert.deepEqual(await inboxes(system, packageId), [])
    })
  })

  it('callbacks that freeze nothing have no lock to delete', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await atStop(system, 1, receiver)
      await system.ok('restartPackage')
      await system.ok('voidPackage', { body: voidBody })
      await system.ok('unvoidPackage')
      await nextMinute(system)
      assert.equal(receiver.received.length, 3)
      for (const { json } of receiver.received) {
        await system.refused(404, 'deleteLock', { params: { lockId: Number(json['lockId']) } })
      }
      const lockId = await freeze(system, receiver)
      await system.ok('deleteLock', { params: { lockId } })
    })
  })

  it('a client deletes the lock on its own behalf', async (system) => {
    await withReceiver(async (receiver) => {
      const params = { lockId: await freeze(system, receiver) }
      await system.ok('deleteLock', { params, user: 'demo-app' })
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    })
  })

  it('a restart replaces the lock', async (system) => {
    await withReceiver(async (receiver) => {
      const lockId = await freeze(system, receiver)
      await system.ok('restartPackage')
      await system.refused(404, 'deleteLock', { params: { lockId } })
      await nextMinute(system)
      assert.notEqual(lockOf(receiver), lockId)
      await system.ok('deleteLock', { params: { lockId: lockOf(receiver) } })
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    })
  })

  it('the lock of a void package can be deleted only after the unvoid', async (system) => {
    await withReceiver(async (receiver) => {
      const params = { lockId: await freeze(system, receiver) }
      await system.ok('voidPackage', { body: voidBody })
      await system.refused(409, 'deleteLock', { params })
      await system.ok('unvoidPackage')
      assert.deepEqual(await inboxes(system), [])
      await system.ok('deleteLock', { params })
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    })
  })

  it('a removed package has no lock', async (system) => {
    await withReceiver(async (receiver) => {
      const params = { lockId: await freeze(system, receiver) }
      await system.ok('removePackage')
      await system.refused(404, 'deleteLock', { params })
      await system.control('PUT', '/test/forms/6025/stops/1/callback', { url: null })
      await system.ok('reinitiatePackage')
      assert.deepEqual(await inboxes(system), ['Daniel Reyes', 'Ruth Lindqvist'])
    })
  })
})

describeSection('routing/Callback body', (it) => {
  it('the body is JSON, sent with POST', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      assert.equal(receiver.received[0]?.method, 'POST')
      assert.match(receiver.received[0]?.headers['content-type'] ?? '', /^application\/json\b/)
    })
  })

  it('the body has exactly the documented fields, and one value for each field of a developer form', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      const { lockId, createdAt, ...rest } = receiver.received[0]?.json as CallbackBody
      assert.deepEqual(rest, {
        '@class': 'developer',
        formId: 6025,
        packageId: 42,
        state: 'VOID',
        stop: null,
        entry: await system.ok('getEntry'),
      })
      assert.ok(Number.isSafeInteger(lockId))
      assert.match(createdAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
      assert.ok(parseTimestamp(createdAt ?? ''))
    })
  })

  it('a route-based callback names the stop and is otherwise the same', async (system) => {
    await withReceiver(async (receiver) => {
      await freeze(system, receiver)
      const { lockId, createdAt, ...rest } = receiver.received[0]?.json as CallbackBody
      assert.deepEqual(rest, {
        '@class': 'developer',
        formId: 6025,
        packageId: 42,
        state: 'ROUTING',
        stop: { name: 'Department', stopNumber: 1 },
        entry: await system.ok('getEntry'),
      })
      assert.ok(Number.isSafeInteger(lockId))
      assert.ok(parseTimestamp(createdAt ?? ''))
    })
  })

  it('the body describes the package at the time of the event', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      const { now } = await system.control<{ now: string }>('GET', '/clock')
      await system.ok('updateEntry', { body: travelEntry({ purpose: 'Field work on lake mussels' }) })
      await system.ok('unvoidPackage')
      await nextMinute(system)
      assert.deepEqual(
        receiver.received.map(({ json }) => [json['state'], (json['entry'] as { purpose: string }).purpose]),
        [
          ['VOID', 'Annual meeting of the Society for Freshwater Science'],
          ['ROUTING', 'Field work on lake mussels'],
        ],
      )
      // The time is that of the void, not that of the batch.
      assert.equal(String(receiver.received[0]?.json['createdAt']).slice(0, 16), now.slice(0, 16))
    })
  })
})

describeSection('routing/Public key', (it) => {
  it('the key verifies the signature over the raw bytes of the body, and nothing else', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('updateEntry', { body: travelEntry({ purpose: 'Größe “42” – 東京' }) })
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      const [callback] = receiver.received
      assert.ok(callback)
      const key = await publicKey(system)
      assert.equal(await isSigned(callback, key), true)
      const other = Buffer.from(callback.body)
      other[other.length - 2] = (other.at(-2) ?? 0) ^ 1
      assert.equal(await isSigned({ ...callback, body: other }, key), false)
      assert.equal(
        await isSigned({ ...callback, body: Buffer.concat([callback.body, Buffer.from(' ')]) }, key),
        false,
      )
    })
  })

  it('route-based callbacks are signed with the same key', async (system) => {
    await withReceiver(async (receiver) => {
      const key = await publicKey(system)
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await system.ok('unvoidPackage')
      await freeze(system, receiver)
      assert.equal(receiver.received.length, 3)
      for (const callback of receiver.received) assert.equal(await isSigned(callback, key), true)
    })
  })

  it('the key stays the same until it is rotated', async (system) => {
    const bytes = async () => readPublicKey((await system.call('getPublicKey')).bytes)
    const key = await bytes()
    assert.equal(key?.length, 32)
    assert.deepEqual(await bytes(), key)
    await system.control('POST', '/rotate-key')
    assert.notDeepEqual(await bytes(), key)
  })

  it('after a rotation, the old key fails and the newly fetched key verifies', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      const old = await publicKey(system)
      await system.control('POST', '/rotate-key')
      await system.ok('unvoidPackage')
      await nextMinute(system)
      const [before, after] = receiver.received
      assert.ok(before && after)
      const fresh = await publicKey(system)
      assert.deepEqual(
        [await isSigned(before, old), await isSigned(after, old)],
        [true, false],
        'with the key from before the rotation',
      )
      assert.deepEqual(
        [await isSigned(before, fresh), await isSigned(after, fresh)],
        [false, true],
        'with the key from after it',
      )
    })
  })
})

describeSection('routing/Delivery rules', (it) => {
  it('nothing is sent before the minute is over', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      await advance(system, '30s')
      assert.deepEqual(receiver.received, [])
      assert.deepEqual(await fates(system), ['waiting'])
      await advance(system, '30s')
      assert.deepEqual(states(receiver), ['VOID'])
      assert.deepEqual(await fates(system), ['delivered'])

      await system.ok('unvoidPackage')
      await advance(system, '30s')
      assert.deepEqual(states(receiver), ['VOID'])
      await advance(system, '30s')
      assert.deepEqual(states(receiver), ['VOID', 'ROUTING'])
    })
  })

  it('a batch is sent in priority order: frozen routes, other stops, states', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await atStop(system, 1, receiver)
      await atStop(system, 2, receiver, true)
      const { id } = await system.ok<Package>('createPackage', { body: { entry: travelEntry() } })
      await sign(system, people.firstApprover, id)
      await system.ok('voidPackage', { params: { packageId: id }, body: { ...voidBody, id } })
      await nextMinute(system)
      assert.deepEqual(
        receiver.received.map(({ json }) => (json['stop'] as { name: string } | null)?.name ?? json['state']),
        ['College', 'Department', 'ROUTING', 'VOID'],
      )
    })
  })

  it('accepted callbacks are not sent again', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await system.ok('voidPackage', { body: voidBody })
      for (let minutes = 0; minutes < 3; minutes++) await nextMinute(system)
      assert.equal(receiver.received.length, 1)
    })
  })

  it('each 20X status counts as accepted', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      for (let status = 200; status < 210; status++) {
        receiver.status = status
        await toggle(system)
        await nextMinute(system)
        assert.deepEqual(await fates(system), Array(status - 199).fill('delivered'), String(status))
      }
      assert.equal(receiver.received.length, 10)
      assert.deepEqual(await failureMails(system), [])
    })
  })

  it('each other status is mailed to the owners of the form', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      const others = [210, 226, 300, 304, 400, 401, 404, 410, 500, 503]
      for (const [index, status] of others.entries()) {
        receiver.status = status
        await toggle(system)
        await nextMinute(system)
        const mails = await failureMails(system)
        assert.equal(mails.length, index + 1, String(status))
        assert.deepEqual(mails.at(-1)?.recipients, [
          { univid: people.administrator, email: 'priya-raman@northfield.example' },
        ])
        assert.ok(mails.at(-1)?.html.includes(`it returned status ${status}`))
      }
      assert.deepEqual(await fates(system), Array(others.length).fill('failed'))
    })
  })

  it('a failure is mailed once and retried only on request', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      receiver.status = 500
      await system.ok('voidPackage', { body: voidBody })
      for (let minutes = 0; minutes < 3; minutes++) await nextMinute(system)
      assert.equal(receiver.received.length, 1)
      assert.equal((await failureMails(system)).length, 1)

      receiver.status = 200
      await nextMinute(system)
      assert.equal(receiver.received.length, 1)
      assert.deepEqual(await system.control('POST', '/callbacks/retry'), { queued: 1 })
      await nextMinute(system)
      const [first, second, ...others] = receiver.received
      assert.deepEqual(others, [])
      assert.deepEqual(second?.body, first?.body)
      assert.deepEqual(await fates(system), ['delivered'])
      assert.deepEqual(await system.control('POST', '/callbacks/retry'), { queued: 0 })
    })
  })

  it('a retry that fails is mailed again', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      receiver.status = 500
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      await system.control('POST', '/callbacks/retry')
      await nextMinute(system)
      assert.equal((await failureMails(system)).length, 2)
      assert.deepEqual(await fates(system), ['failed'])
    })
  })

  it('a failing callback does not block the others', async (system) => {
    await withReceiver(async (failing) => {
      await withReceiver(async (receiver) => {
        await listen(system, receiver)
        await atStop(system, 1, failing)
        failing.status = 500
        await system.ok('createPackage', { body: { entry: travelEntry() } })
        await nextMinute(system)
        assert.equal(failing.received.length, 1)
        assert.deepEqual(states(receiver), ['ROUTING'])
      })
    })
  })

  it('a receiver that cannot be reached counts as failed', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      await receiver.close()
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      assert.deepEqual(await fates(system), ['failed'])
      const mails = await failureMails(system)
      assert.equal(mails.length, 1)
      assert.match(mails[0]?.html ?? '', /could not be reached/)
    })
  })

  it('without a response, the callback is pending and is sent again in the next cycle', async (system) => {
    await withReceiver(async (receiver) => {
      await listen(system, receiver)
      receiver.status = null
      await system.ok('voidPackage', { body: voidBody })
      await nextMinute(system)
      assert.equal(receiver.received.length, 1)
      assert.deepEqual(await fates(system), ['pending'])

      receiver.status = 200
      await nextMinute(system)
      const [first, second] = receiver.received
      assert.equal(receiver.received.length, 2)
      assert.deepEqual(second?.body, first?.body)
      assert.deepEqual(await fates(system), ['delivered'])
      await nextMinute(system)
      assert.equal(receiver.received.length, 2)
      assert.deepEqual(await failureMails(system), [])
    })
  })

  it('redirects are not followed and count as failed', async (system) => {
    await withReceiver(async (elsewhere) => {
      await withReceiver(async (receiver) => {
        await listen(system, receiver)
        receiver.answerHeaders = { Location: elsewhere.url }
        const redirects = [301, 302, 303, 307, 308]
        for (const status of redirects) {
          receiver.status = status
          await toggle(system)
          await nextMinute(system)
        }
        assert.deepEqual(elsewhere.received, [])
        assert.equal(receiver.received.length, redirects.length)
        assert.deepEqual(await fates(system), Array(redirects.length).fill('failed'))
        assert.equal((await failureMails(system)).length, redirects.length)

        receiver.status = 200
        await toggle(system)
        await nextMinute(system)
        assert.equal((await fates(system)).at(-1), 'delivered')
      })
    })
  })
})

/** Moves the clock to the beginning of a minute, so that no minute ends during the test. */
async function startMinute(system: System): Promise<void> {
  const { instant } = await system.control<{ instant: number }>('GET', '/clock')
  await advance(system, `${60_000 - (instant % 60_000)}ms`)
}

/** Moves the clock forward by one minute. */
function nextMinute(system: System): Promise<void> {
  return advance(system, 'PT1M')
}

async function advance(system: System, duration: string): Promise<void> {
  await system.control('POST', '/clock', { advance: duration })
}

/** Sets the Application Callback URL of the form 6025, at the beginning of a minute. */
async function listen(system: System, { url }: Receiver): Promise<void> {
  await startMinute(system)
  await system.control('PUT', '/test/forms/6025/callback', { url })
}

async function atStop(system: System, stop: number, { url }: Receiver, isFrozen?: boolean): Promise<void> {
  await system.control('PUT', `/test/forms/6025/stops/${stop}/callback`, {
    url,
    ...(isFrozen && { freeze: true }),
  })
}

/** Freezes package 42 at its first stop. Returns the lock from the callback. */
async function freeze(system: System, receiver: Receiver): Promise<number> {
  await startMinute(system)
  await atStop(system, 1, receiver, true)
  await system.ok('restartPackage')
  await nextMinute(system)
  return lockOf(receiver)
}

/** Returns the lock in the latest callback of a stop. */
function lockOf({ received }: Receiver): number {
  const callback = received.filter(({ json }) => json['stop'] !== null).at(-1)
  return Number(callback?.json['lockId'])
}

/** Changes the state of package 42. */
async function toggle(system: System): Promise<void> {
  const { state } = await getPackage(system)
  if (state === 'VOID') await system.ok('unvoidPackage')
  else await system.ok('voidPackage', { body: voidBody })
}

function states({ received }: Receiver): unknown[] {
  return received.map(({ json }) => json['state'])
}

async function fates(system: System): Promise<string[]> {
  return (await system.control<StoredCallback[]>('GET', '/callbacks')).map(({ state }) => state)
}

async function failureMails(system: System): Promise<Mail[]> {
  const outbox = await system.control<Mail[]>('GET', '/outbox')
  return outbox.filter(({ kind }) => kind === 'callback_failure')
}

async function publicKey(system: System): Promise<CryptoKey> {
  const { status, bytes } = await system.call('getPublicKey')
  assert.equal(status, 200)
  const raw = readPublicKey(bytes)
  assert.ok(raw)
  return await crypto.subtle.importKey('raw', raw, 'Ed25519', true, ['verify'])
}

/** Returns whether the header of a callback signs the bytes of its body. */
async function isSigned({ headers, body }: ReceivedCallback, key: CryptoKey): Promise<boolean> {
  const signature = readSignature(String(headers['x-workflow-verification']), 'base64')
  assert.ok(signature)
  return await crypto.subtle.verify('Ed25519', key, signature, new Uint8Array(body))
}

function getPackage(system: System): Promise<Package> {
  return system.ok<Package>('getPackage')
}

async function inboxes(system: System, packageId = 42): Promise<(string | null | undefined)[]> {
  const [row] = await system.ok<PackageStatus12[]>('getStatus', { query: { id: packageId }, version: '1.2' })
  return (row?.inboxSignatures ?? []).map((signature) => signature?.approver)
}

function trySign(system: System, univid: string) {
  return system.fetch('/_emulator/test/forms/6025/packages/42/sign', {
    method: 'POST',
    body: JSON.stringify({ univid }),
  })
}

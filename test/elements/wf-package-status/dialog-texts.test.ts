import { expect } from '@open-wc/testing'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { dialog, inState, openDialog, show, submit } from './element.ts'

describe('each dialog of <wf-package-status>', () => {
  it('names its action, the consequence, and what each button does', async () => {
    for (const [name, state, text, isDanger] of [
      [
        'reinitiatePackage',
        'PRE_ROUTING',
        'Re-initiate this request? Routing starts from the first stop again, and the history shows it. ' +
          'This works only if the request was removed from routing. If it was never in routing, start it instead. ' +
          'Re-initiate Cancel',
        false,
      ],
      [
        'unvoidPackage',
        'VOID',
        'Unvoid this request? It returns to the state it had before it was voided. Unvoid Cancel',
        false,
      ],
      [
        'returnPackage',
        'COMPLETE',
        'Return this request to a person? One more person gets it in their inbox, at the end of the route. ' +
          'It is complete again when they sign. Person Name or university ID Continue Cancel',
        false,
      ],
      [
        'returnToInitiator',
        'ROUTING',
        'Return this request to its initiator? It becomes a draft and leaves every inbox. ' +
          'The initiator must submit it again, and all approvers must sign again. ' +
          'Comment The initiator gets it by email. It also appears with the request. Return to initiator Cancel',
        false,
      ],
      [
        'restartPackage',
        'ROUTING',
        'Restart routing? Routing starts from the first stop again. All approvers must sign again. ' +
          'Restart routing Cancel',
        true,
      ],
      [
        'removePackage',
        'ROUTING',
        'Remove this request from routing? It leaves every inbox and the history. ' +
          'It is not deleted: people with access can still find it. Remove from routing Keep it',
        true,
      ],
      [
        'voidPackage',
        'ROUTING',
        'Void this request? Routing ends now. It leaves every inbox, and nobody can sign it any more. ' +
          'Why do you want to void it? Duplicate transaction Incorrect form Transaction cancelled ' +
          'Transaction denied Void Keep it',
        true,
      ],
    ] as const) {
      const { element } = await show(inState(createBackend(people.administrator), state))
      await openDialog(element, name)
      expect(textOf(element), name).to.equal(text)
      expect(dialog(element).querySelector('[type=submit]')!.className.trim(), name).to.equal(
        isDanger ? 'danger solid' : 'solid',
      )
      expect(described(element), name).to.deep.equal(['H2', 'P'])
      const [first] = dialog(element).querySelectorAll('input, textarea, button')
      const isFirst = !isDanger || first!.localName !== 'button'
      expect(element.shadowRoot!.activeElement, `${name}: the focus`).to.equal(
        isFirst ? first : dialog(element).querySelector('.buttons > :last-child'),
      )
      const invalid = [...dialog(element).querySelectorAll('[aria-invalid]')]
      for (const field of invalid) expect(field.ariaInvalid, name).to.equal('false')
    }
  })

  it('asks what the PDF includes, and forgets it when it opens again', async () => {
    const { element } = await show(createBackend(people.administrator))
    await openDialog(element, 'getPdf')
    const text =
      'Download this request as a PDF? The PDF contains the submitted form. Choose what else to include. ' +
      'Include the routing history Include the attachments Download PDF Cancel'
    expect(textOf(element)).to.equal(text)
    const boxes = [...dialog(element).querySelectorAll('input')]
    expect(boxes.map(({ type, name, value, checked }) => [type, name, value, checked])).to.deep.equal([
      ['checkbox', 'includeRouting', 'true', false],
      ['checkbox', 'mergeAttachments', 'true', false],
    ])
    const link = dialog(element).querySelector<HTMLAnchorElement>('a[download]')!
    const { href } = link
    boxes[0]!.click()
    expect(link.href).to.equal(`${href}?includeRouting=true`)
    boxes[0]!.click()
    expect(link.href).not.to.include('includeRouting=true')
    boxes[1]!.click()
    dialog(element).close()
    await openDialog(element, 'getPdf')
    expect(link.href).to.equal(href)
    expect(textOf(element)).to.equal(text)
    expect(boxes.map(({ checked }) => checked)).to.deep.equal([false, false])
  })

  it('links to no PDF twice: Enter in its form does nothing', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    await openDialog(element, 'getPdf')
    const before = backend.journal.length
    dialog(element).querySelector('form')!.requestSubmit()
    await element.updateComplete
    expect(dialog(element).open).to.equal(true)
    expect(backend.journal.slice(before).filter((line) => !line.startsWith('GET'))).to.deep.equal([])
  })

  it('cannot be closed while an action is carried out', async () => {
    const { element, backend } = await show(createBackend(people.administrator))
    let respond: ((response: Response) => void) | undefined
    backend.intercept = ({ method }) =>
      method === 'PUT' ? new Promise((resolve) => (respond = resolve)) : undefined
    await openDialog(element, 'restartPackage')
    const isRefused = () => !dialog(element).dispatchEvent(new Event('cancel', { cancelable: true }))
    expect(isRefused()).to.equal(false)
    expect(state(element)).to.deep.equal(['closerequest', 'Restart routing false', 'Cancel false'])
    submit(element)
    await waitUntil(() => respond)
    expect(isRefused()).to.equal(true)
    expect(state(element)).to.deep.equal(['none', 'One moment… true', 'Cancel true'])
    dialog(element).querySelector<HTMLElement>('button[type=button]')!.click()
    expect(dialog(element).open).to.equal(true)
    respond!(new Response('', { status: 403 }))
    await waitUntil(() => textOf(element).includes('You can no longer do this. Nothing was changed.'))
    expect(state(element)).to.deep.equal(['closerequest', 'Restart routing false', 'Cancel false'])
    dialog(element).querySelector<HTMLElement>('button[type=button]')!.click()
    expect(dialog(element).open).to.equal(false)
    await openDialog(element, 'restartPackage')
    expect(textOf(element), 'the problem is forgotten').not.to.include('You can no longer do this')
  })
})

/** Whether the dialog may be closed, and its buttons. */
function state(element: WfPackageStatus): (string | null)[] {
  const buttons = [...dialog(element).querySelectorAll('button')]
  return [
    dialog(element).getAttribute('closedby'),
    ...buttons.map((button) => `${button.textContent.trim()} ${button.ariaDisabled}`),
  ]
}

/** The elements that name and describe the dialog. */
function described(element: WfPackageStatus): (string | undefined)[] {
  return ['aria-labelledby', 'aria-describedby'].map((name) => {
    const id = dialog(element).getAttribute(name)!
    return dialog(element).querySelector(`#${id}`)?.tagName
  })
}

function textOf(element: WfPackageStatus): string {
  return dialog(element).innerText.replace(/\s+/g, ' ').trim()
}

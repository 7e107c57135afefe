import type { PackageState } from '../../src/contract/values/values.ts'
import { people, type Role } from '../../test/proxy/mount.ts'
import type { Stage } from './stage.ts'
import type { ChosenFile, User } from './user.ts'

/** Something that happens in a page, and what the person does. */
export interface Moment {
  /** Name of its transcript. */
  readonly name: string
  /** What happens, for the head of the transcript. */
  readonly title: string
  readonly as: Role
  /** Path of the page. Default: that of request 42. */
  readonly path?: string
  /** Prepares the services before the page loads. */
  readonly prepare?: (stage: Stage) => Promise<void> | void
  /** Brings the page into the situation. Nothing of it is in the transcript. */
  readonly before?: (user: User, stage: Stage) => Promise<void>
  /** What the transcript is about. Ends when the page shows the outcome. */
  readonly act?: (user: User, stage: Stage) => Promise<void>
  /** The part of the page that is read afterwards, by its role and name. */
  readonly reads?: readonly [role: string, name?: string] | undefined
  /**
   * What Orca says only sometimes, and what is left out: if it notices the end of a control before the focus moves away from
   * there, it does not say where the focus went.
   */
  readonly mayMiss?: RegExp
  /** What must be heard before anything that went well. */
  readonly failure?: RegExp
}

const status: Moment['reads'] = ['complementary', 'About this request']

function inState(state: PackageState, more: object = {}): (stage: Stage) => void {
  return ({ emulator }) => {
    const found = emulator.packages.test.get(42)
    if (found) emulator.packages.test.set(42, { ...found, state, inbox: [], ...more })
  }
}

/** Signs the request in the service's own screens. */
const sign = ({ outside }: Stage, univid: string) =>
  outside.control('POST', 'test/forms/6025/packages/42/sign', { univid })

const pdf = (name: string): ChosenFile => ({ name, type: 'application/pdf', content: `%PDF-1.7 ${name}` })

const uploaded = (count: number) => `return root.querySelectorAll('.mark.done').length === ${count}`

async function uploadOne(user: User): Promise<void> {
  await user.focus('[part=choose]', 'fs-uploader')
  await user.choose('fs-uploader', [pdf('quote.pdf')])
  await user.see(uploaded(1), 'fs-uploader')
}

async function askAboutVoid(user: User): Promise<void> {
  await user.focus('[data-action=voidPackage]', 'wf-package-status')
  await user.press('Enter')
  await user.see(`return root.querySelector('dialog[open]')`, 'wf-package-status')
}

async function askAboutDeletion(user: User): Promise<void> {
  await user.focus('.ask', 'fs-uploader')
  await user.press('Enter')
  await user.see(`return root.activeElement?.matches('.keep')`, 'fs-uploader')
}

/** Lets every request of the page fail, and the page load everything again. */
async function fail(user: User, stage: Stage): Promise<void> {
  stage.setFailing(true)
  await user.refresh()
  for (const tag of ['wf-package-status', 'wf-history', 'wf-attachments', 'wf-comments'])
    await user.see(`return root.querySelector('[part~=stale]')`, tag)
}

/** Whether the status region of the page has a text. */
const isSpeaking = `
  return [...document.querySelectorAll('*')].some(
    ({ shadowRoot }) => shadowRoot?.querySelector('.announcement')?.textContent)`

/** Types into the field for an office, and takes the first one that it finds. */
async function chooseOffice(user: User, text: string, key: string): Promise<void> {
  await user.type(text)
  await user.see(`return root.querySelector('[role=option]')?.textContent.includes('${key}')`, 'wf-office')
  // The number of options is announced before the person goes on.
  await user.see(isSpeaking)
  await user.listen()
  await user.press('ArrowDown')
  await user.see(`return root.querySelector('[role=option][aria-selected=true]')`, 'wf-office')
  // The option disappears with the next key.
  await user.listen()
  await user.press('Enter')
  await user.see(`return document.querySelector('wf-office').value === '${key}'`)
  await user.see(`return root.querySelector('[part~=stop]')`, 'wf-route')
}

/** The page of the administrator, with a file. */
const administration: Pick<Moment, 'as' | 'path' | 'prepare'> = {
  as: 'administrator',
  path: '/admin',
  prepare: ({ storeFile }) => storeFile({ filename: 'itinerary.pdf', metadata: { trip: 'Portland' } }),
}

/** Opens the dialog that replaces an approver. */
async function askAboutOverride(user: User): Promise<void> {
  await user.focus('[part=add]', 'wf-overrides')
  await user.press('Enter')
  await user.see(`return root.activeElement?.name === 'subject'`, 'wf-overrides')
}

/** Fills the dialog, and goes on to its question. */
async function enterOverride(user: User): Promise<void> {
  await askAboutOverride(user)
  await user.listen()
  await user.type('Daniel Reyes')
  await user.focus('[name=type][value=DELEGATE]', 'wf-overrides')
  // Otherwise the radio may be checked before somebody hears that it is not.
  await user.listen()
  await user.press(' ')
  await user.listen()
  await user.focus('[name=replacement]', 'wf-overrides')
  await user.listen()
  await user.type('Mei-Ling Zhou')
  await user.listen()
  await user.press('Enter')
  await user.see(`return root.querySelector('dialog #consequence')`, 'wf-overrides')
}

/** Opens the form of the file, and changes its name. */
async function rename(user: User): Promise<void> {
  await user.focus('.edit', 'fs-files')
  await user.press('Enter')
  await user.see(`return root.activeElement?.name === 'stem'`, 'fs-files')
  await user.listen()
  await user.press('Control+A')
  // Otherwise the selection may be gone before somebody hears of it.
  await user.listen()
  await user.type('Flights')
  await user.listen()
}

/** Chooses the only application, by keyboard. */
async function chooseShare(user: User): Promise<void> {
  await user.focus('[part=create] [name=grantee]', 'fs-shares')
  await user.listen()
  await user.press('ArrowDown')
  await user.see(`return root.activeElement?.value`, 'fs-shares')
}

async function shareFile(user: User): Promise<void> {
  await chooseShare(user)
  // Two moves of the focus at once are reported as one.
  await user.listen()
  await user.focus('[part=create] .solid', 'fs-shares')
  await user.listen()
  await user.press('Enter')
  await user.see(`return root.querySelector('.revoke')`, 'fs-shares')
}

export const moments: readonly Moment[] = [
  {
    name: 'load',
    title: 'The page of a request in routing, read from top to bottom by its initiator.',
    as: 'initiator',
    reads: ['main'],
  },
  {
    name: 'state-to-sign',
    title: 'The status of a request, read by the approver who has to sign it.',
    as: 'firstApprover',
    reads: status,
  },
  {
    name: 'state-complete',
    title: 'The status of a request that is complete, read by its initiator.',
    as: 'initiator',
    prepare: inState('COMPLETE'),
    reads: status,
  },
  {
    name: 'state-void',
    title: 'The status of a request that is void, read by its initiator.',
    as: 'initiator',
    prepare: inState('VOID', { voidReason: 'INCORRECT_FORM', heldState: 'ROUTING' }),
    reads: status,
  },
  {
    name: 'state-draft',
    title: 'The status of a draft, read by its initiator.',
    as: 'initiator',
    prepare: inState('DRAFT', { comments: [], attachments: [] }),
    reads: status,
  },
  {
    name: 'state-returned',
    title: 'The status of a request that was returned with a comment, read by its initiator.',
    as: 'initiator',
    prepare: ({ outside }) => outside.change('/returnToInitiator', { comment: 'Add the receipts, please.' }),
    reads: status,
  },
  {
    name: 'state-paused',
    title: 'The status of a request whose route an application holds, read by its initiator.',
    as: 'initiator',
    prepare: async (stage) => {
      const callback = { url: 'https://northfield.test/api/wf/callbacks', freeze: true }
      await stage.outside.control('PUT', 'test/forms/6025/stops/2/callback', callback)
      await sign(stage, people.firstApprover)
      await stage.outside.deliver()
    },
    reads: status,
  },
  {
    name: 'state-not-available',
    title: 'The page of a request, read by a person who may not see the request.',
    as: 'outsider',
    reads: ['main'],
  },
  {
    name: 'void-asked',
    title: 'The initiator presses "Void" in the status.',
    as: 'initiator',
    before: (user) => user.focus('[data-action=voidPackage]', 'wf-package-status'),
    act: askAboutVoid,
    reads: ['dialog'],
  },
  {
    name: 'void-confirmed',
    title: 'The initiator chooses a reason in the dialog and confirms it.',
    as: 'initiator',
    before: async (user) => {
      await askAboutVoid(user)
      // Otherwise Orca may not have noticed yet that a radio has the focus.
      await user.listen()
      await user.press('ArrowDown')
      await user.listen()
    },
    act: async (user) => {
      await user.press('Enter')
      await user.see(
        `return root.querySelector('[part=state]').dataset.state === 'VOID'`,
        'wf-package-status',
      )
    },
  },
  {
    name: 'void-refused',
    title: 'The initiator confirms the dialog, but the service refuses.',
    as: 'initiator',
    before: async (user, { outside }) => {
      await askAboutVoid(user)
      await user.press('ArrowDown')
      await outside.control('POST', 'faults', { operation: 'voidPackage', status: 409 })
    },
    act: async (user) => {
      await user.press('Enter')
      await user.see(`return root.querySelector('#error').textContent.trim()`, 'wf-package-status')
    },
  },
  {
    name: 'upload-one',
    title: 'The initiator chooses one file to upload.',
    as: 'initiator',
    before: (user) => user.focus('[part=choose]', 'fs-uploader'),
    act: uploadOne,
    reads: ['list', 'Files'],
  },
  {
    name: 'upload-twelve',
    title: 'The initiator chooses twelve files to upload. One of them is empty and fails.',
    as: 'initiator',
    before: (user) => user.focus('[part=choose]', 'fs-uploader'),
    act: async (user, stage) => {
      const files = Array.from({ length: 11 }, (_, index) => pdf(`chapter-${index + 1}.pdf`))
      // The failure is announced long before the other uploads end.
      stage.holdUploads(true)
      await user.choose('fs-uploader', [...files, { name: 'references.txt', content: '' }])
      await user.see(isSpeaking)
      stage.holdUploads(false)
      await user.see(uploaded(11), 'fs-uploader')
    },
    reads: ['list', 'Files'],
    failure: /references\.txt/,
  },
  {
    name: 'delete-asked',
    title: 'The initiator presses "Delete" beside an uploaded file.',
    as: 'initiator',
    before: async (user) => {
      await uploadOne(user)
      await user.focus('.ask', 'fs-uploader')
    },
    act: askAboutDeletion,
  },
  {
    name: 'delete-confirmed',
    title: 'The initiator confirms that the file is deleted.',
    as: 'initiator',
    before: async (user) => {
      await uploadOne(user)
      await askAboutDeletion(user)
      await user.focus('.danger', 'fs-uploader')
    },
    act: async (user) => {
      await user.press('Enter')
      await user.see(uploaded(0), 'fs-uploader')
    },
    mayMiss: /^(?:Upload files panel|Choose files push button|Up to 50 MB each)\.$/,
  },
  {
    name: 'comment-elsewhere',
    title: 'Somebody else comments while the page is open.',
    as: 'initiator',
    act: async (user, { outside }) => {
      const comment = 'Which budget pays for the train?'
      await outside.control('POST', 'test/forms/6025/packages/42/comments', {
        univid: people.firstApprover,
        comment,
      })
      await user.see(`return root.textContent.includes('${comment}')`, 'wf-comments')
    },
  },
  {
    name: 'signature-elsewhere',
    title: 'An approver signs while the page is open, and the request reaches the next stop.',
    as: 'initiator',
    act: async (user, stage) => {
      await sign(stage, people.firstApprover)
      await stage.outside.deliver()
      await user.see(`return root.textContent.includes('Mei-Ling Zhou')`, 'wf-package-status')
      await user.see(`return root.textContent.includes('signed')`, 'wf-history')
    },
  },
  {
    name: 'outage',
    title: 'The services fail while the page is open.',
    as: 'initiator',
    act: fail,
    failure: /couldn’t be loaded/,
  },
  {
    name: 'outage-over',
    title: 'The services work again, and the initiator presses "Try again".',
    as: 'initiator',
    before: async (user, stage) => {
      await fail(user, stage)
      await user.focus('[part=try-again]', 'wf-package-status')
    },
    act: async (user, stage) => {
      stage.setFailing(false)
      await user.press('Enter')
      for (const tag of ['wf-package-status', 'wf-history', 'wf-attachments', 'wf-comments'])
        await user.see(`return !root.querySelector('[part~=stale]')`, tag)
    },
  },
  {
    name: 'form-errors',
    title: 'A person sends a new request whose required fields are empty.',
    as: 'initiator',
    path: '/new',
    before: (user) => user.focus('button[value=ROUTING]'),
    act: async (user) => {
      await user.press('Enter')
      await user.see(`return root.querySelector('[part=problems]')`, 'wf-form')
    },
    failure: /purpose/,
  },
  {
    name: 'office-chosen',
    title: 'A person searches for a department in a new request and chooses it.',
    as: 'initiator',
    path: '/new',
    before: (user) => user.focus('input', 'wf-office'),
    act: (user) => chooseOffice(user, 'biol', '11-0420'),
  },
  {
    name: 'route-changed',
    title: 'The person chooses another department, whose route has other approvers.',
    as: 'initiator',
    path: '/new',
    before: async (user) => {
      await user.focus('input', 'wf-office')
      await chooseOffice(user, 'biol', '11-0420')
      await user.press('Tab')
      await user.focus('input', 'wf-office')
      // Without a selection, about which Orca may say something or not.
      for (const key of ['End', ...Array<string>('11-0420'.length).fill('Backspace')]) await user.press(key)
    },
    act: (user) => chooseOffice(user, 'chem', '11-0430'),
  },
  {
    name: 'access-lost',
    title: 'The request is removed from routing while an approver has its page open.',
    as: 'firstApprover',
    act: async (user, { outside }) => {
      await outside.change('/remove')
      await outside.deliver()
      await user.see(`return root.querySelector('[part=forbidden]')`, 'wf-package-status')
    },
  },
  {
    ...administration,
    name: 'override-asked',
    title: 'The administrator replaces an approver, and goes on to the question.',
    before: (user) => user.focus('[part=add]', 'wf-overrides'),
    act: enterOverride,
    reads: ['dialog'],
  },
  {
    ...administration,
    name: 'override-confirmed',
    title: 'The administrator confirms that an approver is replaced.',
    before: async (user) => {
      await enterOverride(user)
      await user.focus('dialog .solid', 'wf-overrides')
    },
    act: async (user) => {
      await user.press('Enter')
      await user.see(`return root.querySelector('[part=override]')`, 'wf-overrides')
    },
    reads: ['list', 'Replaced people'],
  },
  {
    ...administration,
    name: 'file-edited',
    title: 'The administrator opens the form of a file, changes its name and saves it.',
    before: (user) => user.focus('.edit', 'fs-files'),
    act: async (user) => {
      await rename(user)
      await user.press('Enter')
      await user.see(`return root.querySelector('.edit') && root.textContent.includes('Flights')`, 'fs-files')
    },
    mayMiss: /^(?:List with 1 item\.|Edit Flights\.pdf push button\.|Browse mode)$/,
    reads: ['list', 'Files'],
  },
  {
    ...administration,
    name: 'file-deleted',
    title: 'The administrator deletes a file, and then keeps it after all.',
    before: (user) => user.focus('.delete', 'fs-files'),
    act: async (user) => {
      await user.press('Enter')
      await user.see(`return root.activeElement?.matches('.undo')`, 'fs-files')
      await user.listen()
      await user.press('Enter')
      await user.see(`return root.querySelector('.delete')`, 'fs-files')
    },
    mayMiss: /^(?:Undo|Edit) itinerary\.pdf push button\.$/,
  },
  {
    ...administration,
    name: 'file-signed-out',
    title: 'The session ends while the administrator changes a file, who then saves it.',
    before: rename,
    act: async (user, stage) => {
      stage.setSignedIn(false)
      await user.press('Enter')
      await user.see(`return root.querySelector('[part=editor] [role=alert]').textContent.trim()`, 'fs-files')
    },
    failure: /signed out/,
  },
  {
    ...administration,
    name: 'share-made',
    title: 'The administrator shares a file with an application.',
    act: shareFile,
  },
  {
    ...administration,
    name: 'share-asked',
    title: 'The administrator presses "Stop sharing" beside a share.',
    before: async (user) => {
      await shareFile(user)
      await user.focus('.revoke', 'fs-shares')
    },
    act: async (user) => {
      await user.press('Enter')
      await user.see(`return root.querySelector('dialog[open]')`, 'fs-shares')
    },
    reads: ['dialog'],
  },
]

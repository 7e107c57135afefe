import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  type CheckName,
  checks,
  type ElementResults,
  type Results,
} from '../../scripts/docs/accessibility.ts'
import { inPage } from './accessibility-in-page.ts'
import { perceptionInPage } from './perception-in-page.ts'
import {
  endpointAs,
  failingEndpoint,
  openSite,
  packages,
  silentEndpoint,
  type Site,
  unstableAdministrator,
  unstableEndpoint,
} from './site.ts'
import { launchBrowser } from '../browser.ts'
import { directory, sampleUuids } from '../../stories/stored-files.ts'

// Checks the claims of docs/accessibility.md: each element of the build, in each of its states, in five modes. With UPDATE=1,
// writes the results to docs/accessibility.json instead of comparing them.

const file = new URL('../../docs/accessibility.json', import.meta.url)
const fix =
  'Update it with: UPDATE=1 node --import tsx --test test/docs/accessibility.node.test.ts && node --import tsx scripts/docs/write.ts'

const require = createRequire(import.meta.url)
const axeSource = readFileSync(require.resolve('axe-core'), 'utf8')
const { version } = require('axe-core/package.json') as { version: string }

const modes = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  'right to left': {},
  '320 px': {},
} as const
type Mode = keyof typeof modes

interface Subject {
  /** The built script that defines the element. Default: `routeslip.js`. */
  readonly script?: string
  /** Markup by state. */
  readonly states: Readonly<Record<string, string>>
  /** Creates states that need more than markup, after everything has loaded. Returns their names. */
  readonly prepare?: (page: Page) => Promise<readonly string[]>
  /** Selects the buttons that open dialogs. */
  readonly dialogs?: string
  /** Makes a change that has to be announced. */
  readonly change: (page: Page) => Promise<void>
  /** Checks for this element only. Each returns the problems that it finds. */
  readonly own: Partial<Record<CheckName, (page: Page) => Promise<readonly string[]>>>
}

const of = (packageId: number, endpoint = endpointAs('initiator'), more = '') =>
  `endpoint="${endpoint}" form-id="6025" package-id="${packageId}" ${more}`

/** The states of all elements that show a package. */
const common = (tag: string) => ({
  'not available': `<${tag} ${of(packages.routing, endpointAs('outsider'))}></${tag}>`,
  'signed out': `<${tag} ${of(packages.routing, endpointAs('nobody'), 'sign-in-url="/login"')}></${tag}>`,
  missing: `<${tag} ${of(999)}></${tag}>`,
  loading: `<${tag} data-loads ${of(packages.routing, silentEndpoint)}></${tag}>`,
  failed: `<${tag} ${of(packages.routing, failingEndpoint)}></${tag}>`,
  'out of date': `<${tag} id="stale" ${of(packages.routing, unstableEndpoint)}></${tag}>`,
  'not configured': `<${tag}></${tag}>`,
})

const pdf = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 receipt') }
const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') }

/** Refreshes the element at `unstableEndpoint` while every request there fails. */
const makeStale = async (page: Page) => {
  site.setFailing(true)
  await page.evaluate(`document.querySelector('#stale').refresh()`)
  await page.locator('#stale').locator('[part~=stale]').waitFor()
}

const subjects: Readonly<Record<string, Subject>> = {
  'wf-package-status': {
    states: {
      'in routing, with many actions': `<wf-package-status ${of(packages.routing, endpointAs('administrator'))}></wf-package-status>`,
      'to be signed': `<wf-package-status ${of(packages.routing, endpointAs('firstApprover'), 'sign-url="#sign"')}></wf-package-status>`,
      'in routing, to be voided': `<wf-package-status id="own" ${of(packages.routing)}></wf-package-status>`,
      complete: `<wf-package-status ${of(packages.complete, endpointAs('administrator'))}></wf-package-status>`,
      void: `<wf-package-status ${of(packages.void, endpointAs('administrator'))}></wf-package-status>`,
      draft: `<wf-package-status ${of(packages.draft)}></wf-package-status>`,
      'not yet routing': `<wf-package-status ${of(packages.waiting)}></wf-package-status>`,
      removed: `<wf-package-status ${of(packages.removed, endpointAs('administrator'))}></wf-package-status>`,
      badge: `<wf-badge ${of(packages.routing)}></wf-badge>`,
      'badge, not available': `<wf-badge ${of(packages.routing, endpointAs('outsider'))}></wf-badge>`,
      'badge, failed': `<wf-badge ${of(packages.routing, failingEndpoint)}></wf-badge>`,
      ...common('wf-package-status'),
    },
    prepare: async (page) => {
      await page.locator('details[part=actions] summary').first().click()
      await makeStale(page)
      return []
    },
    dialogs: '[data-action]',
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {
      'error identification': async (page) => {
        await page.evaluate(`inside.press('[data-action]', 'returnPackage')`)
        const dialog = page.locator('dialog[open]')
        await dialog.locator('[type=submit]').click()
        const message = await dialog.locator('.error').first().innerText()
        return /Enter a university ID of up to 12 digits/.test(message) ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const button = page.locator('#own [data-action=voidPackage]')
        await button.click()
        await page.locator('dialog[open]').waitFor()
        await page.keyboard.press('Escape')
        const { state } = site.emulator.packages.test.get(packages.routing) ?? {}
        return state === 'ROUTING' ? [] : [`the state of the package is ${state}`]
      },
    },
  },
  'wf-history': {
    states: {
      'in routing': `<wf-history ${of(packages.routing)}></wf-history>`,
      void: `<wf-history ${of(packages.void)}></wf-history>`,
      empty: `<wf-history ${of(packages.bare)}></wf-history>`,
      ...common('wf-history'),
    },
    prepare: async (page) => {
      // A short list is open at first.
      await page.locator('details[part=future][open] [part=event]').first().waitFor()
      await makeStale(page)
      return ['future stops expanded']
    },
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {},
  },
  'wf-comments': {
    states: {
      'with a search': `<wf-comments id="own" ${of(packages.routing)}></wf-comments>`,
      empty: `<wf-comments ${of(packages.bare)}></wf-comments>`,
      ...common('wf-comments'),
    },
    prepare: async (page) => {
      await page.locator('#own [part=comment] button').first().click()
      await makeStale(page)
      return ['one comment expanded']
    },
    change: (page) => page.locator('#own input[type=search]').fill('receipt'),
    own: {},
  },
  'wf-attachments': {
    states: {
      'one of several uploaded': `<wf-attachments id="own" ${of(packages.routing)}></wf-attachments>`,
      'all missing': `<wf-attachments ${of(packages.draft)}></wf-attachments>`,
      'uploads closed': `<wf-attachments ${of(packages.void)}></wf-attachments>`,
      ...common('wf-attachments'),
    },
    prepare: async (page) => {
      await page.evaluate(`
        document.querySelector('#own').add(2, [new File(['%PDF-1.7'], 'receipt.pdf', { type: 'application/pdf' })])
        document.querySelector('#own').add(1, [new File(['Text'], 'itinerary.docx')])
      `)
      await page.locator('#own [part~=file]', { hasText: 'itinerary.docx' }).waitFor()
      await makeStale(page)
      return ['a file with its description', 'a rejected file']
    },
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {
      dragging: async (page) => {
        const chooser = page.waitForEvent('filechooser')
        await page.locator('#own [part~=add]').nth(1).click()
        await (await chooser).setFiles(pdf)
        await page.locator('#own').getByRole('button', { name: 'Upload' }).first().click()
        await page.locator('#own').getByRole('link', { name: 'receipt.pdf' }).waitFor()
        return []
      },
      'error identification': async (page) => {
        const message = await page.locator('#own [part~=file]', { hasText: 'itinerary.docx' }).innerText()
        return /only PDF files are accepted/.test(message) ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const before = site.emulator.packages.test.get(packages.routing)?.attachments.length
        await page.evaluate(
          `document.querySelector('#own').add(2, [new File(['%PDF-1.7'], 'second.pdf', { type: 'application/pdf' })])`,
        )
        const row = page.locator('#own [part~=file]', { hasText: 'second.pdf' })
        await row.getByRole('button', { name: 'Cancel' }).click()
        await row.waitFor({ state: 'detached' })
        const now = site.emulator.packages.test.get(packages.routing)?.attachments.length
        return now === before ? [] : [`${now} attachments instead of ${before}`]
      },
    },
  },
  'fs-uploader': {
    states: {
      empty: '<fs-uploader endpoint="/api/wf"></fs-uploader>',
      'with limits and stored files':
        '<fs-uploader id="own" endpoint="/api/wf" folder max-size="100" max-files="9"></fs-uploader>',
      disabled: '<fs-uploader endpoint="/api/wf" disabled></fs-uploader>',
      loading: `<fs-uploader data-loads endpoint="${silentEndpoint}"></fs-uploader>`,
      'signed out': `<fs-uploader endpoint="${endpointAs('nobody')}" sign-in-url="/login"></fs-uploader>`,
      failed: `<fs-uploader endpoint="${failingEndpoint}"></fs-uploader>`,
      'not configured': '<fs-uploader></fs-uploader>',
    },
    prepare: async (page) => {
      const large = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(200, 'a') }
      const other = { ...text, name: 'to be deleted.txt' }
      await page.locator('#own input[type=file]').first().setInputFiles([text, large, other])
      await page
        .locator('#own')
        .getByText(/^Uploaded /)
        .nth(1)
        .waitFor()
      await page.locator('#own [part~=file]').getByText('larger than').first().waitFor()
      await page.locator('#own [part~=file]', { hasText: 'to be deleted' }).getByText('Delete…').click()
      return ['a stored file', 'a file that is too large', 'a delete confirmation']
    },
    change: (page) => page.evaluate(`document.querySelector('#own').add([new File(['Notes'], 'more.txt')])`),
    own: {
      dragging: async (page) => {
        const chooser = page.waitForEvent('filechooser')
        await page.locator('#own [part~=choose]').click()
        await (await chooser).setFiles({ ...text, name: 'chosen.txt' })
        await page
          .locator('#own [part~=file]', { hasText: 'chosen.txt' })
          .getByText('Uploaded')
          .first()
          .waitFor()
        return []
      },
      'error identification': async (page) => {
        const message = await page.locator('#own [part~=file]', { hasText: 'large.txt' }).innerText()
        return /larger than 100/.test(message) ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const count = () => site.emulator.files.test.size
        const before = count()
        await page.locator('#own [part~=file]', { hasText: 'to be deleted' }).getByText('Keep').click()
        return count() === before ? [] : ['the file was deleted']
      },
    },
  },
}

/** A form for `<wf-form>`, whose required fields are empty. */
const formOf = (id: string) =>
  `<form id="${id}"><p><label>Purpose <input name="purpose" required></label></p><button>Submit</button></form>`

/** The uuid of a file that does not exist. */
const missingUuid = '0f5e0000-0000-4000-8000-000000000099'

/** The directory of applications, as an attribute. */
const grantees = `grantees='${JSON.stringify(directory)}'`

/** The elements that are not part of `routeslip.js`. */
const added: Readonly<Record<string, Subject>> = {
  'wf-form': {
    script: 'routeslip-autoload.js',
    states: {
      'with problems': `<wf-form id="own" endpoint="/api/wf" form-id="6025">${formOf('own-form')}</wf-form>`,
      'in routing, for an approver': `<wf-form ${of(packages.routing, endpointAs('firstApprover'))}>${formOf('edited')}</wf-form>`,
      'read only': `<wf-form ${of(packages.complete)}>${formOf('read')}</wf-form>`,
      'not available': `<wf-form ${of(packages.routing, endpointAs('outsider'))}>${formOf('hidden')}</wf-form>`,
      'signed out': `<wf-form ${of(packages.routing, endpointAs('nobody'), 'sign-in-url="/login"')}>${formOf('closed')}</wf-form>`,
      missing: `<wf-form ${of(999)}>${formOf('gone')}</wf-form>`,
      failed: `<wf-form ${of(packages.routing, failingEndpoint)}>${formOf('down')}</wf-form>`,
      'out of date': `<wf-form id="stale" ${of(packages.routing, unstableEndpoint)}>${formOf('old')}</wf-form>`,
      'not configured': `<wf-form>${formOf('bare')}</wf-form>`,
      'with answers to check': `<wf-form id="checked" review ${of(packages.waiting)}>${formOf('checked-form')}</wf-form>`,
      'new, with a place for documents': `<wf-form endpoint="/api/wf" form-id="6025">${formOf('new')}<p slot="documents">Files</p></wf-form>`,
    },
    prepare: async (page) => {
      await submitOwn(page)
      await page.evaluate(`document.querySelector('#checked').submit()`)
      await page.locator('#checked [part~=review]').waitFor()
      return []
    },
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {
      'error identification': async (page) => {
        const message = await page.locator('#own [part=problems]').innerText()
        return /Enter purpose\./.test(message) ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const count = () => site.emulator.packages.test.size
        const before = count()
        await submitOwn(page)
        return count() === before ? [] : ['a request with problems was created']
      },
    },
  },
  'wf-office': {
    script: 'routeslip-autoload.js',
    states: {
      empty:
        '<label for="own">Department</label><wf-office id="own" endpoint="/api/wf" required></wf-office>',
      'with an office':
        '<label for="known">Payer</label><wf-office id="known" endpoint="/api/wf" value="11-0420"></wf-office>',
      'not an office':
        '<label for="wrong">Host</label><wf-office id="wrong" endpoint="/api/wf" value="11-04"></wf-office>',
      disabled: '<label for="off">Unit</label><wf-office id="off" endpoint="/api/wf" disabled></wf-office>',
      failed: `<label for="down">College</label><wf-office id="down" endpoint="${failingEndpoint}" value="11"></wf-office>`,
      'not configured': '<label for="bare">School</label><wf-office id="bare"></wf-office>',
    },
    change: async (page) => {
      await page.locator('#own input').focus()
      await page.keyboard.type('11')
    },
    own: {
      'error identification': async (page) => {
        const message = await page.locator('#wrong [part=error]').innerText()
        return /2, 6 or 10 digits, such as 11/.test(message) ? [] : [`the message is "${message}"`]
      },
    },
  },
  'wf-route': {
    script: 'routeslip-autoload.js',
    states: {
      'usual route of an office': '<wf-route endpoint="/api/wf" form-id="6025" office="11-0420"></wf-route>',
      'without an office': '<wf-route endpoint="/api/wf" form-id="6025"></wf-route>',
      'calculated before routing': `<wf-route ${of(packages.waiting)}></wf-route>`,
      'in routing': `<wf-route ${of(packages.routing)}></wf-route>`,
      ...common('wf-route'),
    },
    prepare: async (page) => {
      await makeStale(page)
      return []
    },
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {},
  },
  'wf-overrides': {
    script: 'routeslip-autoload.js',
    states: {
      'two people replaced': `<wf-overrides id="own" ${of(packages.replaced, endpointAs('administrator'))}></wf-overrides>`,
      'nobody replaced': `<wf-overrides ${of(packages.bare, endpointAs('administrator'))}></wf-overrides>`,
      ...common('wf-overrides'),
      missing: `<wf-overrides ${of(999, endpointAs('administrator'))}></wf-overrides>`,
      'out of date': `<wf-overrides id="stale" ${of(packages.replaced, unstableAdministrator)}></wf-overrides>`,
    },
    prepare: async (page) => {
      await makeStale(page)
      return []
    },
    dialogs: '[part=add], [part=end]',
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {
      'error identification': async (page) => {
        await page.locator('#own [part=add]').click()
        const dialog = page.locator('#own dialog[open]')
        await dialog.locator('[type=submit]').click()
        const message = await dialog.locator('#subject-error').innerText()
        return message === 'Enter who must not decide.' ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const count = () => site.emulator.packages.test.get(packages.replaced)?.overrides.length
        const before = count()
        await page.locator('#own [part=end]').first().click()
        await page.locator('#own dialog[open]').waitFor()
        await page.keyboard.press('Escape')
        return count() === before ? [] : ['the replacement has ended']
      },
    },
  },
  'fs-files': {
    script: 'routeslip-autoload.js',
    states: {
      'available and missing files': `<fs-files id="own" endpoint="/api/wf" value="${[...sampleUuids, missingUuid].join(' ')}"></fs-files>`,
      'read only': `<fs-files endpoint="/api/wf" disabled value="${sampleUuids.join(' ')}"></fs-files>`,
      'of someone else': `<fs-files endpoint="${endpointAs('outsider')}" value="${sampleUuids[0]}"></fs-files>`,
      empty: '<fs-files endpoint="/api/wf"></fs-files>',
      loading: `<fs-files data-loads endpoint="${silentEndpoint}" value="${sampleUuids[0]}"></fs-files>`,
      'signed out': `<fs-files endpoint="${endpointAs('nobody')}" sign-in-url="/login" value="${sampleUuids[0]}"></fs-files>`,
      failed: `<fs-files endpoint="${failingEndpoint}" value="${sampleUuids[0]}"></fs-files>`,
      'out of date': `<fs-files id="stale" endpoint="${unstableEndpoint}" value="${sampleUuids[0]}"></fs-files>`,
      'not configured': '<fs-files></fs-files>',
    },
    prepare: async (page) => {
      const press = (name: string) => page.locator('#own').getByRole('button', { name }).click()
      await press('Edit itinerary.pdf')
      await press('Add a label')
      await press('Delete expenses.xlsx')
      await page.locator('#own').getByRole('button', { name: 'Undo' }).waitFor()
      await makeStale(page)
      return ['an open form', 'a deletion that can be undone']
    },
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {
      'error identification': async (page) => {
        await page.locator('#own [name=stem]').fill(' ')
        await page.locator('#own [part=editor] [type=submit]').click()
        const message = await page.locator('#own [part=editor] [role=alert]:visible').innerText()
        return message === 'Enter a name.' ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const isStored = () => site.emulator.files.test.get(sampleUuids[2] ?? '')?.isDeleted === false
        const before = isStored()
        await page.locator('#own').getByRole('button', { name: 'Undo' }).click()
        await page.locator('#own').getByRole('button', { name: 'Delete expenses.xlsx' }).waitFor()
        return before && isStored() ? [] : ['the file was deleted']
      },
    },
  },
  'fs-shares': {
    script: 'routeslip-autoload.js',
    states: {
      'shares of files, and of all files': `<fs-shares id="own" endpoint="${endpointAs('administrator')}" ${grantees} files="${sampleUuids.join(' ')}"></fs-shares>`,
      'shares of one file': `<fs-shares endpoint="/api/wf" ${grantees} file="${sampleUuids[0]}"></fs-shares>`,
      'several pages': `<fs-shares endpoint="${endpointAs('administrator')}" ${grantees} page-size="1"></fs-shares>`,
      'of applications without names': '<fs-shares endpoint="/api/wf"></fs-shares>',
      empty: `<fs-shares endpoint="/api/wf" ${grantees} file="${sampleUuids[2]}"></fs-shares>`,
      'not available': `<fs-shares endpoint="${endpointAs('outsider')}"></fs-shares>`,
      'signed out': `<fs-shares endpoint="${endpointAs('nobody')}" sign-in-url="/login"></fs-shares>`,
      loading: `<fs-shares data-loads endpoint="${silentEndpoint}"></fs-shares>`,
      failed: `<fs-shares endpoint="${failingEndpoint}"></fs-shares>`,
      'out of date': `<fs-shares id="stale" endpoint="${unstableAdministrator}" ${grantees}></fs-shares>`,
      'not configured': '<fs-shares></fs-shares>',
    },
    prepare: async (page) => {
      await page.locator('#own [part=create] [type=submit]').click()
      await makeStale(page)
      return ['a share without a file']
    },
    dialogs: '.revoke',
    change: (page) => page.evaluate(`document.querySelector('#stale').refresh()`),
    own: {
      'error identification': async (page) => {
        const message = await page.locator('#own [part=create] [role=alert]').innerText()
        return message === 'Choose a file.' ? [] : [`the message is "${message}"`]
      },
      'error prevention': async (page) => {
        const before = site.emulator.shares.test.size
        await page.locator('#own .revoke').first().click()
        await page.locator('#own dialog[open]').waitFor()
        await page.keyboard.press('Escape')
        return site.emulator.shares.test.size === before ? [] : ['a share has ended']
      },
    },
  },
}

/** Submits the empty form, and waits for the summary of problems. */
async function submitOwn(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('#own').submit()`)
  await page.locator('#own [part=problems]').waitFor()
}

const results: Record<string, ElementResults> = {}
let site: Site
let browser: Browser

before(async () => {
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
})

for (const [tag, subject] of Object.entries({ ...subjects, ...added })) {
  describe(`<${tag}>`, () => {
    const passed: Record<string, string[]> = {}
    const undecided: Record<string, string[]> = {}
    const violated: Record<string, string[]> = {}
    const problems: Record<string, readonly string[]> = {}
    const more: string[] = []
    before(async () => {
      site = await openSite()
    })
    after(async () => {
      await site.close()
      const states = [
        ...Object.keys(subject.states),
        ...more,
        ...(subject.dialogs === undefined ? [] : ['each dialog']),
      ]
      results[tag] = { states, ...{ passed, undecided, violated }, checks: problems }
    })

    /** Runs a check and records its problems. The test fails if there are any. */
    const check = (name: CheckName, perform: () => Promise<readonly string[]>) =>
      it(`${name}: ${checks[name].does}`, async () => {
        problems[name] = ['the check did not finish']
        problems[name] = [...new Set(await perform())]
        assert.deepEqual(problems[name], [])
      })

    // All on one page. Checks that change the page come last.
    describe('in all its states', () => {
      let page: Page
      let walk: Walk
      let cutAt320: readonly string[] = ['it was not tested']
      before(async () => {
        page = await open(tag, subject)
        more.push(...((await subject.prepare?.(page)) ?? []))
        walk = await walkOver(page)
      })
      after(() => page.context().close())

      check('keyboard', async () => [
        ...walk.unreached,
        ...(subject.dialogs === undefined ? [] : await closesWithEscape(page, subject.dialogs)),
      ])
      check('focus order', async () => [
        ...walk.outOfOrder,
        ...(subject.dialogs === undefined ? [] : await returnsFocus(page, subject.dialogs)),
      ])
      check('focus visible', async () => walk.withoutOutline)
      check('focus not obscured', async () => walk.obscured)
      check('on focus', async () => walk.changed)
      check('images', () => inspect(page, 'images()'))
      check('text alternatives', () => inspect(page, 'graphics()'))
      check('references', () => inspect(page, 'references()'))
      check('labels', () => inspect(page, 'labels()'))
      check('visible labels', () => inspect(page, 'visibleLabels()'))
      check('link names', () => inspect(page, 'links()'))
      check('same names', () => inspect(page, 'identification()'))
      check('color', () => inspect(page, 'colored()'))
      check('flashes', () => inspect(page, 'flashes()'))
      check('sequence', () => inspectIn(page, ['light', 'right to left', '320 px'], 'sequence()'))
      check('text contrast', () => inspectIn(page, ['light', 'dark'], 'pale()'))
      check('non-text contrast', () => inspectIn(page, ['light', 'dark'], 'faint()'))
      check('motion', async () => {
        const moving = await inspect(page, 'motion(false)')
        await page.emulateMedia({ reducedMotion: 'reduce' })
        const still = await inspect(page, 'motion(true)')
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        return [...moving, ...still]
      })

      for (const mode of Object.keys(modes) as Mode[]) {
        it(`passes axe, ${mode}`, async () => {
          await applyMode(page, mode)
          const reports = [await axe(page, tag, mode)]
          if (mode === '320 px') cutAt320 = await inspect(page, 'clipped()')
          if (subject.dialogs !== undefined && (mode === 'light' || mode === '320 px')) {
            const { dialogs } = subject
            for (const opener of await page.evaluate<readonly string[]>(`inside.openers('${dialogs}')`)) {
              await page.evaluate(`inside.press('${dialogs}', '${opener}')`)
              await page.locator('dialog[open]').waitFor()
              reports.push(await axe(page, tag, mode, 'dialog[open]'))
              if (mode === '320 px') cutAt320 = [...cutAt320, ...(await inspect(page, 'clipped()'))]
              await page.keyboard.press('Escape')
              await page.locator('dialog[open]').waitFor({ state: 'detached' })
            }
          }
          const wrong: string[] = []
          for (const { passes, incomplete, violations } of reports) {
            record(passed, passes)
            // At 320 px, whether axe can determine the background of a text depends on the installed fonts.
            record(
              undecided,
              mode === '320 px' ? incomplete.filter(({ id }) => id !== 'color-contrast') : incomplete,
            )
            record(violated, violations)
            wrong.push(...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)))
          }
          await applyMode(page, 'light')
          assert.deepEqual(wrong, [])
        })
      }

      check('reflow', async () => cutAt320)
      check('orientation', async () => {
        await page.setViewportSize({ width: 400, height: 800 })
        // A countdown would go on between the two.
        await page.evaluate('inside.stopTime()')
        const portrait = await page.evaluate('inside.texts()')
        await page.setViewportSize({ width: 800, height: 400 })
        const landscape = await page.evaluate('inside.texts()')
        await page.evaluate('inside.goOn()')
        await applyMode(page, 'light')
        return portrait === landscape ? [] : [`"${String(portrait)}" and "${String(landscape)}"`]
      })
      check('text size', async () => {
        await page.evaluate('inside.measure()')
        await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
        const wrong = [...(await inspect(page, 'small()')), ...(await inspect(page, 'clipped()'))]
        await page.evaluate(`document.documentElement.style.fontSize = ''`)
        return wrong
      })
      let appeared: readonly string[] = ['it was not tested']
      check('pointer cancellation', async () => {
        const found = await pressElsewhere(page)
        appeared = found.appeared
        return found.pressed
      })
      check('hover', async () => appeared)
      check('text spacing', async () => {
        await page.evaluate('inside.space()')
        return await inspect(page, 'clipped()')
      })
      if (!['wf-history', 'wf-route'].includes(tag)) check('on input', () => fillIn(page))
    })

    check('language', async () => {
      const failures: string[] = []
      for (const [language, expected] of [
        ['es', 'es'],
        ['fi', 'en'],
      ] as const) {
        const page = await open(tag, subject, language)
        await page
          .waitForFunction(`inside.languages().every((each) => each === '${expected}')`, null, {
            timeout: 60_000,
          })
          .catch(async () =>
            failures.push(`${language}: ${JSON.stringify(await page.evaluate('inside.languages()'))}`),
          )
        await page.context().close()
      }
      return failures
    })
    check('status messages', async () => {
      const page = await open(tag, subject)
      site.setFailing(false)
      await page.evaluate('inside.listen()')
      site.setFailing(true)
      const before = await page.evaluate('inside.focused()')
      await subject.change(page)
      const isAnnounced = await page
        .waitForFunction('inside.announced.length > 0', null, { timeout: 30_000 })
        .then(
          () => true,
          () => false,
        )
      const after = await page.evaluate('inside.focused()')
      await page.context().close()
      site.setFailing(false)
      const moved =
        before === after || /input/.test(String(after)) ? [] : [`the focus is on ${String(after)}`]
      return [...(isAnnounced ? [] : ['nothing was announced']), ...moved]
    })
    for (const [name, perform] of Object.entries(subject.own)) {
      check(name as CheckName, async () => {
        const page = await open(tag, subject)
        await subject.prepare?.(page)
        const wrong = await perform(page)
        await page.context().close()
        return wrong
      })
    }
  })
}

describe('a page that breaks every rule', () => {
  it('fails each of these checks (control)', async () => {
    site = await openSite()
    const page = await open('x-broken', { states: {}, change: async () => {}, own: {} })
    await applyMode(page, '320 px')
    const { violations } = await axe(page, 'x-broken', 'light')
    const rules = violations.map(({ id }) => id)
    for (const rule of [
      'color-contrast',
      'target-size',
      'role-img-alt',
      'button-name',
      'label',
      'valid-lang',
    ])
      assert.ok(rules.includes(rule), `axe finds ${rule} among ${rules.join()}`)
    assert.notDeepEqual(await inspect(page, 'clipped()'), [])
    const scripts = ['images()', 'motion(false)', 'motion(true)', 'graphics()', 'references()', 'labels()']
    scripts.push(
      'visibleLabels()',
      'links()',
      'identification()',
      'flashes()',
      'sequence()',
      'pale()',
      'colored()',
    )
    for (const script of scripts) assert.notDeepEqual(await inspect(page, script), [], script)
    await page.evaluate('inside.measure()')
    assert.notDeepEqual(await inspect(page, 'small()'), [], 'text size')
    const walk = await walkOver(page)
    for (const [name, wrong] of Object.entries(walk)) assert.notDeepEqual(wrong, [], name)
    assert.notDeepEqual(await inspect(page, 'faint()'), [], 'non-text contrast')
    const { pressed, appeared } = await pressElsewhere(page)
    assert.notDeepEqual(pressed, [], 'pointer cancellation')
    assert.notDeepEqual(appeared, [], 'hover')
    assert.notDeepEqual(await fillIn(page), [], 'on input')
    await page.context().close()
    await site.close()
  })
})

describe('docs/accessibility.json', () => {
  it('contains the results of this run', () => {
    const now: Results = { axe: version, date: new Date().toISOString().slice(0, 10), elements: results }
    if (process.env['UPDATE']) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Results
    assert.deepEqual(recorded, JSON.parse(JSON.stringify({ ...now, date: recorded.date })), fix)
  })
})

/** Script that stops long timers, so that what loads does not fail while a slow machine inspects the page. */
const noTimeouts = `{
  const start = setTimeout
  globalThis.setTimeout = (run, delay, ...rest) => start(run, delay >= 10_000 ? 2 ** 31 - 1 : delay, ...rest)
}
`

/** Opens a page with an element in all its states, and waits until each has loaded. */
async function open(tag: string, { states, script = 'routeslip.js' }: Subject, lang = 'en'): Promise<Page> {
  site.setFailing(false)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(noTimeouts + inPage + perceptionInPage)
  await page.route(`**${silentEndpoint}/**`, () => {})
  const body = Object.values(states)
    .map((markup) => `<section>${markup}</section>`)
    .join('\n')
  site.show(
    `<main><h1>A page</h1><button id="before">Before</button>
      ${body || '<x-broken></x-broken>'}<button id="after">After</button></main>`,
    {
      html: `lang="${lang}"`,
      head: `<script type="module" src="/${script}"></script>
        <style>body { background: Canvas; color: CanvasText; font: 16px sans-serif; margin: 1em } section { margin: 1.5em 0 }
        html { font-size: 100% } body { font-size: 1rem }</style>`,
    },
  )
  await page.goto(`${site.url}/page`)
  await page.evaluate(`window.tag = '${tag}'`)
  await page.waitForFunction('inside.isSettled()')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  return page
}

/** Applies a mode to the page. */
async function applyMode(page: Page, mode: Mode): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...modes[mode] })
  await page.setViewportSize({ width: mode === '320 px' ? 320 : 1280, height: 800 })
  await page.evaluate(`document.documentElement.dir = '${mode === 'right to left' ? 'rtl' : 'ltr'}'`)
}

interface Finding {
  readonly id: string
  readonly tags: readonly string[]
  readonly nodes: readonly { readonly html: string }[]
}

/** The rules whose result a mode can change. Where it can show other content, all rules apply. */
const rulesOf: Partial<Record<Mode, readonly string[]>> = {
  dark: ['color-contrast', 'link-in-text-block'],
  'forced colours': ['link-in-text-block', 'target-size'],
  'right to left': ['target-size', 'scrollable-region-focusable'],
}

/** Runs axe on all elements with a tag, or on a part of them. */
async function axe(page: Page, tag: string, mode: Mode, part?: string) {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axeSource}; undefined`)
  const options = {
    resultTypes: ['violations', 'incomplete'],
    runOnly: rulesOf[mode]
      ? { type: 'rule', values: rulesOf[mode] }
      : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    rules: {
      'target-size': { enabled: true },
      'label-content-name-mismatch': { enabled: true },
      'css-orientation-lock': { enabled: true },
      // In forced colours, the system of the user decides. A narrow dialog has the same colours as a wide one, and axe cannot
      // always determine its background.
      'color-contrast': { enabled: mode !== 'forced colours' && !(mode === '320 px' && part !== undefined) },
    },
  }
  const run = () =>
    page.evaluate<{
      readonly passes: readonly Finding[]
      readonly incomplete: readonly Finding[]
      readonly violations: readonly Finding[]
    }>(
      `axe.run(${JSON.stringify(part === undefined ? tag : { fromShadowDom: [tag, part] })}, ${JSON.stringify(options)})`,
    )
  // An element that is opening may briefly cover the text that axe measures. What is undecided twice stays so.
  for (let before = ''; ;) {
    const report = await run()
    const undecided = JSON.stringify(report.incomplete.map(({ id, nodes }) => [id, nodes.length]))
    if (report.incomplete.length === 0 || undecided === before) return report
    before = undecided
  }
}

/** Records rules by the criteria in their tags: wcag1412 means 1.4.12. */
function record(recorded: Record<string, string[]>, findings: readonly Finding[]): void {
  for (const { id, tags } of findings) {
    for (const [, principle, guideline, number] of tags.join(' ').matchAll(/\bwcag(\d)(\d)(\d+)\b/g)) {
      const rules = (recorded[`${principle}.${guideline}.${number}`] ??= [])
      if (!rules.includes(id)) rules.push(id)
      rules.sort()
    }
  }
}

/** Runs a check in the page. Returns the problems that it finds. */
async function inspect(page: Page, script: string): Promise<readonly string[]> {
  return await page.evaluate<readonly string[]>(`inside.${script}`)
}

/** Runs a check in several modes. Returns the problems with the mode of each. */
async function inspectIn(page: Page, wanted: readonly Mode[], script: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const mode of wanted) {
    await applyMode(page, mode)
    problems.push(...(await inspect(page, script)).map((one) => `${mode}: ${one}`))
  }
  await applyMode(page, 'light')
  return problems
}

/** Problems with the focus, by kind. */
interface Walk {
  readonly unreached: readonly string[]
  readonly outOfOrder: readonly string[]
  readonly withoutOutline: readonly string[]
  readonly obscured: readonly string[]
  readonly changed: readonly string[]
}

/** Moves the focus with Tab from the button before the elements to the button after them, and then one step back. */
async function walkOver(page: Page): Promise<Walk> {
  const names = await page.evaluate<readonly string[]>('inside.begin()')
  await page.locator('#before').focus()
  const order: number[] = []
  const walk = {
    unreached: [] as string[],
    withoutOutline: [] as string[],
    obscured: [] as string[],
    changed: [] as string[],
  }
  let isAtEnd = false
  for (let presses = 0; presses < names.length + 40 && !isAtEnd; presses++) {
    await page.keyboard.press('Tab')
    const step = await page.evaluate<{
      readonly index: number
      readonly name: string
      readonly hasOutline: boolean
      readonly isObscured: boolean
      readonly isAtEnd: boolean
      readonly isChanged: boolean
    }>('inside.step()')
    isAtEnd = step.isAtEnd
    if (isAtEnd) break
    if (step.index >= 0) order.push(step.index)
    if (!step.hasOutline) walk.withoutOutline.push(step.name)
    if (step.isObscured) walk.obscured.push(step.name)
    if (step.isChanged) walk.changed.push(step.name)
  }
  if (!isAtEnd) walk.unreached.push('the page after it')
  else {
    await page.keyboard.press('Shift+Tab')
    if ((await page.evaluate('inside.step().index')) !== order.at(-1))
      walk.unreached.push('the last control, backwards')
  }
  walk.unreached.push(...names.filter((_, index) => !order.includes(index)))
  walk.unreached.push(...(await page.evaluate<readonly string[]>('inside.unnatural()')))
  const outOfOrder = order.flatMap((index, at) => (index < (order[at - 1] ?? -1) ? [names[index] ?? ''] : []))
  return { ...walk, outOfOrder }
}

async function closesWithEscape(page: Page, dialogs: string): Promise<readonly string[]> {
  await page.locator(dialogs).last().click()
  await page.locator('dialog[open]').waitFor()
  await page.keyboard.press('Escape')
  return (await page.locator('dialog[open]').count()) > 0 ? ['the dialog stays open'] : []
}

async function returnsFocus(page: Page, dialogs: string): Promise<readonly string[]> {
  await page.locator(dialogs).last().focus()
  const before = await page.evaluate('inside.focused()')
  await page.keyboard.press('Enter')
  await page.locator('dialog[open]').waitFor()
  await page.keyboard.press('Escape')
  const after = await page.evaluate('inside.focused()')
  return before === after ? [] : [`the focus is on ${String(after)} instead of ${String(before)}`]
}

/** Presses the mouse button on each control and releases it elsewhere. `appeared`: where the pointer alone shows something. */
async function pressElsewhere(page: Page) {
  const names = await page.evaluate<readonly string[]>('inside.begin()')
  const pressed: string[] = []
  const appeared: string[] = []
  for (const [index, name] of names.entries()) {
    const [x = 0, y = 0] = await page.evaluate<readonly number[]>(`inside.centre(${index})`)
    const [before, shown] = await page.evaluate<string[]>('[inside.snapshot(), inside.shown()]')
    await page.mouse.move(x, y)
    if ((await page.evaluate('inside.shown()')) !== shown) {
      // Something else may have changed at the same time.
      await page.mouse.move(1, 1)
      if ((await page.evaluate('inside.shown()')) === shown) appeared.push(name)
      await page.mouse.move(x, y)
    }
    await page.mouse.down()
    const during = await page.evaluate('inside.snapshot()')
    await page.mouse.move(1, 1)
    await page.mouse.up()
    const after = await page.evaluate('inside.snapshot()')
    if (during !== before || after !== before) pressed.push(name)
  }
  return { pressed, appeared }
}

/** Types into each text field and checks each box. */
async function fillIn(page: Page): Promise<readonly string[]> {
  const names = await page.evaluate<readonly string[]>('inside.begin()')
  const problems: string[] = []
  for (const [index, name] of names.entries()) {
    const kind = await page.evaluate<string>(`inside.kind(${index})`)
    if (kind === '') continue
    await page.evaluate(`inside.focus(${index})`)
    if (kind === 'checkbox') await page.keyboard.press('Space')
    else await page.keyboard.type('a')
    const isSame = await page.evaluate<boolean>(
      `inside.step().index === ${index} && !inside.step().isChanged`,
    )
    if (!isSame) problems.push(name)
  }
  return problems
}

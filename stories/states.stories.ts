import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import * as files from './fs-files.stories.ts'
import * as shares from './fs-shares.stories.ts'
import * as uploader from './fs-uploader.stories.ts'
import { backendOf, cellOf, type Context, type Story } from './story.ts'
import * as attachments from './wf-attachments.stories.ts'
import * as badge from './wf-badge.stories.ts'
import * as comments from './wf-comments.stories.ts'
import * as form from './wf-form.stories.ts'
import * as history from './wf-history.stories.ts'
import * as list from './wf-list.stories.ts'
import * as office from './wf-office.stories.ts'
import * as overrides from './wf-overrides.stories.ts'
import * as status from './wf-package-status.stories.ts'
import * as route from './wf-route.stories.ts'

// All states of each element on one page. Stories that open a dialog have pages of their own: a dialog covers the others. So has a
// story that deletes a file, because all elements of a page that show the file notice, and one of a route without a session, because
// all routes of a page forget what was calculated.

const meta: Meta = { title: 'States', tags: ['!autodocs'] }
export default meta

export const PackageStatus = grid(status, /(?=.*Waiting for)(?=.*needs endpoint)/)

export const Badge = grid(badge, /(?=.*In routing)(?=.*needs endpoint)/)

export const History = grid(history, /(?=.*Daniel Reyes must sign)(?=.*needs endpoint)/, ['Long'])

export const Comments = grid(comments, /(?=.*grant allows)(?=.*needs endpoint)/, ['Long'])

export const Attachments = grid(attachments, /(?=.*itinerary\.pdf)(?=.*needs endpoint)/)

export const Uploader = grid(uploader, /(?=.*Uploaded)(?=.*needs endpoint)/, ['Many'])

export const Files = grid(files, /(?=.*itinerary\.pdf)(?=.*needs endpoint)/, ['Deleted'])

export const Shares = grid(shares, /(?=.*Records office)(?=.*needs endpoint)/, ['StopSharing', 'NotStopped'])

export const Overrides = grid(overrides, /(?=.*In force)(?=.*needs endpoint)/, [
  'Form',
  'Problem',
  'SeveralPeople',
  'Confirmation',
  'UnknownPerson',
  'Ending',
])

export const Route = grid(route, /(?=.*Usual route for)(?=.*needs endpoint)/, ['SignedOut'])

export const List = grid(list, /(?=.*Needs your signature)(?=.*needs endpoint)/, ['Long'])

export const Office = grid(office, /(?=.*Biology)(?=.*needs endpoint)/, [
  'List',
  'DrillDown',
  'NameAmongLoaded',
])

export const Form = grid(form, /(?=.*email about it)(?=.*needs endpoint)/)

/** The parameters of the stories of a grid, by their headings. */
export type Cells = ReadonlyMap<string, object>

/** A file of stories: its exports, and what they have in common. */
type StoryFile = Readonly<Record<string, unknown>> & { readonly default: Meta }

/** Renders all stories of a file, each with a backend of its own. `without` names those that are left out. */
function grid(file: StoryFile, shows: RegExp, without: readonly string[] = []): Story {
  const { default: common, ...others } = file
  const stories = Object.entries(others as Readonly<Record<string, Story>>).filter(
    // Storybook adds the order of the exports to them.
    ([name]) => !without.includes(name) && !name.startsWith('__'),
  )
  const cells: Cells = new Map(
    stories.map(([name, { parameters }]) => [headingOf(name), { ...common.parameters, ...parameters }]),
  )
  return {
    parameters: {
      backend: null,
      shows,
      cells,
      // Each story is checked by itself.
      a11y: { test: 'off' },
    },
    render: (_args, context) => html`
      <div style="columns: 22rem; column-gap: 2rem">
        ${stories.map(([name, story]) => renderCell(name, story, common, context))}
      </div>
    `,
  }
}

function renderCell(name: string, story: Story, common: Meta, { canvasElement, ...rest }: Context) {
  const context = {
    ...rest,
    canvasElement: cellOf(canvasElement, name),
    parameters: { ...common.parameters, ...story.parameters },
  }
  const render = (story.render ?? common.render) as (args: object, context: object) => unknown
  return html`
    <section style="break-inside: avoid; padding-block-end: 2rem">
      <h2 style="font-size: 1rem">${headingOf(name)}</h2>
      <wf-context .client=${backendOf(context)?.client}
        >${render({ ...common.args, ...story.args }, context)}</wf-context
      >
    </section>
  `
}

function headingOf(name: string): string {
  return name.replaceAll(/(?=[A-Z])/g, ' ').trim()
}

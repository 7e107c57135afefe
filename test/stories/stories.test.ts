import { aTimeout, expect, fixture } from '@open-wc/testing'
import type { TemplateResult } from 'lit'
import * as status from '../../stories/wf-package-status.stories.ts'
import * as uploader from '../../stories/fs-uploader.stories.ts'

interface Story {
  readonly render?: unknown
}

describe('stories', () => {
  for (const { default: meta, ...stories } of [status, uploader]) {
    for (const [name, story] of Object.entries<Story>(stories)) {
      it(`${meta.title} / ${name} shows something, and is accessible`, async () => {
        const render = story.render as () => TemplateResult
        const element = await fixture<HTMLElement>(render())
        await aTimeout(name === 'Stale' ? 900 : 60)

        const base = element.shadowRoot?.querySelector<HTMLElement>('[part=base]')
        expect(base?.offsetHeight).to.be.greaterThan(20)
        if (name === 'Stale') expect(base?.querySelector('[part=stale]')).to.exist
        await expect(element).to.be.accessible()
      })
    }
  }
})

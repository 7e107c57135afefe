import accessibility from '../../docs/accessibility.md?raw'
import dropIn from '../../docs/drop-in.md?raw'
import elements from '../../docs/elements.md?raw'
import emulator from '../../docs/emulator.md?raw'
import movingOver from '../../docs/moving-over.md?raw'
import otherStacks from '../../docs/other-stacks.md?raw'
import policy from '../../docs/policy.md?raw'
import proxy from '../../docs/proxy.md?raw'
import security from '../../docs/security.md?raw'
import stacks from '../../docs/stacks/README.md?raw'
import theming from '../../docs/theming.md?raw'

/** The guides in `docs` that have a page here, by file name (`stacks` by folder). */
const guides = {
  accessibility,
  'drop-in': dropIn,
  elements,
  emulator,
  'moving-over': movingOver,
  'other-stacks': otherStacks,
  policy,
  proxy,
  security,
  stacks,
  theming,
} as const

/** Returns the text of a guide. Links to guides lead to pages of this Storybook, links to other files become plain text. */
export function guide(name: keyof typeof guides): string {
  return guides[name].replace(/\[([^\]]+)\]\(([^)]+)\)/g, (link, text: string, address: string) => {
    if (/^(?:https:|#)/.test(address)) return link
    const [, file = ''] = /^(?:\.\.\/)?([\w-]+)\.md(?:#|$)/.exec(address) ?? []
    if (file in guides) return `[${text}](?path=/docs/guides-${file}--docs)`
    return file === 'README' ? `[${text}](?path=/docs/getting-started--docs)` : text
  })
}

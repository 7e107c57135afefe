import accessibility from '../../docs/accessibility.md?raw'
import architecture from '../../docs/architecture.md?raw'
import browsers from '../../docs/browsers.md?raw'
import dropIn from '../../docs/drop-in.md?raw'
import elements from '../../docs/elements.md?raw'
import emulator from '../../docs/emulator.md?raw'
import frameworks from '../../docs/frameworks.md?raw'
import glossary from '../../docs/glossary.md?raw'
import languages from '../../docs/languages.md?raw'
import movingOver from '../../docs/moving-over.md?raw'
import otherStacks from '../../docs/other-stacks.md?raw'
import policy from '../../docs/policy.md?raw'
import proxy from '../../docs/proxy.md?raw'
import publicApi from '../../docs/public-api.md?raw'
import reliability from '../../docs/reliability.md?raw'
import scale from '../../docs/scale.md?raw'
import security from '../../docs/security.md?raw'
import stacks from '../../docs/stacks/README.md?raw'
import testing from '../../docs/testing.md?raw'
import theming from '../../docs/theming.md?raw'
import wordpress from '../../docs/wordpress.md?raw'

/** The guides in `docs`, by file name (`stacks` by folder). */
const guides = {
  accessibility,
  architecture,
  browsers,
  'drop-in': dropIn,
  elements,
  emulator,
  frameworks,
  glossary,
  languages,
  'moving-over': movingOver,
  'other-stacks': otherStacks,
  policy,
  proxy,
  'public-api': publicApi,
  reliability,
  scale,
  security,
  stacks,
  testing,
  theming,
  wordpress,
} as const

/** Returns the text of a guide. Links to guides lead to pages of this Storybook, links to other files become plain text. */
export function guide(name: keyof typeof guides): string {
  return guides[name].replace(/\[([^\]]+)\]\(([^)]+)\)/g, (link, text: string, address: string) => {
    if (/^(?:https:|#)/.test(address)) return link
    const [, file = ''] = /^(?:\.\.\/)?([\w-]+)(?:\/README)?\.md(?:#|$)/.exec(address) ?? []
    if (file in guides) return `[${text}](?path=/docs/guides-${file}--docs)`
    return file === 'README' ? `[${text}](?path=/docs/getting-started--docs)` : text
  })
}

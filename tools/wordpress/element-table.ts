import { type Attribute, readElements } from '../../scripts/docs/manifest.ts'
import { tokenDefaults } from '../../scripts/docs/theming.ts'

/**
 * Tags without a block: `<wf-history>` under another name, for pages that have markup of the old component, and `<wf-list>`, which
 * needs a proxy that keeps lists.
 */
const withoutBlock: readonly string[] = ['routing-history', 'wf-list']

/** Attributes that the settings of the plugin provide. */
const provided: readonly string[] = ['endpoint']

/** Returns the table of elements from which the WordPress plugin makes its blocks and shortcodes, as JSON. */
export function elementTable(): string {
  const elements = readElements().filter(({ tagName }) => !withoutBlock.includes(tagName))
  return JSON.stringify({
    lightColors: lightColors(),
    elements: Object.fromEntries(
      elements.map(({ tagName, attributes, slots }) => [
        tagName,
        {
          // Its content belongs to the page. The content of other elements is shown only until the script has loaded.
          isContainer: slots.some(({ name }) => name === ''),
          attributes: Object.fromEntries(
            attributes
              .filter(({ name }) => !provided.includes(name))
              .map((each) => [each.name, entryOf(each)]),
          ),
        },
      ]),
    ),
  })
}

/** Returns the defaults of tokens that are a color, on light pages. */
function lightColors(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...tokenDefaults()].flatMap(([token, value]) => {
      const color = /^(?:light-dark\()?(#[0-9a-f]{3,6})\b/.exec(value)?.[1]
      return color ? [[token, color]] : []
    }),
  )
}

function entryOf({ type: { text } }: Attribute) {
  const values = [...text.matchAll(/'([^']+)'/g)].map(([, value = '']) => value)
  return {
    type: values.length > 0 ? 'choice' : text,
    ...(values.length > 0 && { values }),
  }
}

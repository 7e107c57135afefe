import { setCustomElementsManifest } from '@storybook/web-components-vite'
// Written by `npm run storybook` before Storybook starts.
import manifest from '../custom-elements.json' with { type: 'json' }

setCustomElementsManifest(manifest)

export default {
  tags: ['autodocs'],
  parameters: { a11y: { test: 'error' }, controls: { expanded: true } },
}

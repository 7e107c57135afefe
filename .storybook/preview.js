import { setCustomElementsManifest } from '@storybook/web-components-vite'
// `npm run storybook` writes this file before Storybook starts.
import manifest from '../custom-elements.json' with { type: 'json' }
import { discardBackend, waitUntilShown } from '../stories/story.ts'
import { argTypesOf, tokensOf } from './api.ts'
import { theme } from './theme.js'
import { applyToBackend, globalTypes, initialGlobals, isAsWritten, logEvents, withPage } from './toolbar.ts'
import './preview.css'

setCustomElementsManifest(manifest)

export default {
  tags: ['autodocs'],
  globalTypes,
  initialGlobals,
  decorators: [withPage],
  // Runs again when a setting changes. Storybook calls the returned function when the user leaves the story.
  beforeEach: (context) => {
    applyToBackend(context)
    const stopListening = logEvents(context)
    return () => {
      stopListening()
      discardBackend(context)
    }
  },
  // Before the accessibility panel runs.
  afterEach: async (context) => {
    if (context.parameters.shows && context.viewMode === 'story' && isAsWritten(context))
      await waitUntilShown(context)
  },
  parameters: {
    layout: 'fullscreen',
    // For the theming page.
    tokens: tokensOf(manifest),
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    controls: { expanded: true },
    docs: {
      extractArgTypes: (tag) => argTypesOf(manifest, tag),
      source: { excludeDecorators: true },
      theme,
      toc: { headingSelector: 'h2, h3' },
    },
    options: {
      storySort: {
        order: [
          'Getting started',
          'Search',
          'Guides',
          [
            'Elements',
            'Theming',
            'Drop-in',
            'Frameworks',
            'Stacks',
            'Proxy',
            'Policy',
            'Security',
            'Testing',
          ],
          'Recipes',
          'Theming',
          'Whole page',
          'Elements',
          'Reference',
          ['Client', 'Events', 'Values', 'Configuration', 'Proxy', 'Node', 'Testing'],
        ],
      },
    },
  },
}

// The frame around the documentation: its name, colors and start page.
import { addons } from 'storybook/manager-api'
import { create } from 'storybook/theming'

addons.setConfig({
  theme: create({
    base: 'light',
    brandTitle: 'Routeslip',
    brandUrl: '?path=/docs/getting-started--docs',
    brandTarget: '_self',
    colorPrimary: '#17624a',
    colorSecondary: '#17624a',
    fontBase: 'system-ui, sans-serif',
  }),
})

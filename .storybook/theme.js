import { create } from 'storybook/theming'

const isDark = matchMedia('(prefers-color-scheme: dark)').matches

/** Name, start page and colors of the documentation, in the color scheme of the visitor. */
export const theme = create({
  base: isDark ? 'dark' : 'light',
  brandTitle: 'Routeslip',
  brandUrl: '?path=/docs/getting-started--docs',
  brandTarget: '_self',
  colorPrimary: isDark ? '#45ad86' : '#17624a',
  colorSecondary: isDark ? '#45ad86' : '#17624a',
  fontBase: 'system-ui, sans-serif',
})

import type { StorybookConfig } from '@storybook/web-components-vite'

const config: StorybookConfig = {
  framework: { name: '@storybook/web-components-vite', options: {} },
  stories: ['../stories/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  // Storybook brings no second copy of Lit.
  viteFinal: (vite) => ({
    ...vite,
    resolve: { ...vite.resolve, dedupe: ['lit', 'lit-html', 'lit-element'] },
  }),
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
}

export default config

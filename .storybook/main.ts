import type { StorybookConfig } from '@storybook/web-components-vite'

const config: StorybookConfig = {
  framework: { name: '@storybook/web-components-vite', options: {} },
  stories: ['../stories/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  // Storybook brings no second copy of Lit.
  viteFinal: (vite) => ({
    ...vite,
    // Here languages are modules like all others.
    plugins: (vite.plugins ?? []).filter(
      (plugin) => !(plugin && 'name' in plugin && plugin.name === 'languages-apart'),
    ),
    resolve: { ...vite.resolve, dedupe: ['lit', 'lit-html', 'lit-element'] },
  }),
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
}

export default config

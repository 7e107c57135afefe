import type { StorybookConfig } from '@storybook/web-components-vite'
import { writeSearchIndex } from './search-index.ts'

const config: StorybookConfig = {
  framework: {
    name: '@storybook/web-components-vite',
    options: { builder: { viteConfigPath: '.storybook/vite.config.ts' } },
  },
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  staticDirs: async (own = []) => [...own, { from: `../${await writeSearchIndex()}`, to: '/search' }],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
}

export default config

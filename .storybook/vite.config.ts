import { defineConfig } from 'vite'

/** Builds the stories as an application, not as the published scripts. */
export default defineConfig({
  // Keeps Storybook from adding a second copy of Lit.
  resolve: { dedupe: ['lit', 'lit-html', 'lit-element'] },
  build: { target: 'es2022', chunkSizeWarningLimit: 4096 },
})

import { defineConfig } from 'vite'

/** Stories are built as an application is, not as the scripts that are published. */
export default defineConfig({
  // Storybook brings no second copy of Lit.
  resolve: { dedupe: ['lit', 'lit-html', 'lit-element'] },
  build: { target: 'es2022', chunkSizeWarningLimit: 4096 },
})

import { defineConfig } from 'vite'

// The one file that a page loads: all elements with everything they need.
export default defineConfig({
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    minify: 'oxc',
    lib: { entry: 'src/define/index.ts', formats: ['es'], fileName: () => 'routeslip.js' },
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
})

import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    // Vue has to know which tags are elements, and not components of its own.
    vue({ template: { compilerOptions: { isCustomElement: (tag) => /^(?:wf|fs|routing)-/.test(tag) } } }),
  ],
  server: { proxy: { '/api/wf': { target: process.env['ROUTESLIP_PROXY'] ?? 'http://127.0.0.1:8090' } } },
})

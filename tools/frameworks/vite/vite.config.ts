import { defineConfig } from 'vite'

export default defineConfig({
  server: {
    // `npx routeslip proxy --dev-persona 10000001`
    proxy: { '/api/wf': { target: process.env['ROUTESLIP_PROXY'] ?? 'http://127.0.0.1:8090' } },
  },
})

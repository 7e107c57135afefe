import { defineConfig } from 'astro/config'

export default defineConfig({
  devToolbar: { enabled: false },
  vite: {
    server: { proxy: { '/api/wf': { target: process.env.ROUTESLIP_PROXY ?? 'http://127.0.0.1:8090' } } },
  },
})

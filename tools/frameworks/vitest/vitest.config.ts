import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['jsdom', 'happy-dom'].map((environment) => ({
      test: {
        name: environment,
        environment,
        environmentOptions: {
          jsdom: { url: 'http://site.test/' },
          happyDOM: { url: 'http://site.test/' },
        },
      },
    })),
  },
})

import { defineConfig } from 'vitest/config'

// Tests run on the built output in one shared process per worker: seconds instead of minutes.
export default defineConfig({
  test: {
    include: ['{chain,client,services,devnet,tests,tidy}/**/dist/**/*.test.js'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    server: { deps: { external: [/dist/] } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

import { defineConfig } from 'vitest/config'

// Tests run on the built output in shared processes: seconds instead of minutes. `npm test` leaves out *.long.test.ts,
// which `npm run test:long` and .ci/run run.
export default defineConfig(({ mode }) => {
  const long = mode === 'long'
  return {
    test: {
      include: [`{chain,client,services,devnet,tests,tidy}/**/dist/**/*.${long ? 'long.' : ''}test.js`],
      exclude: ['**/node_modules/**', ...(long ? [] : ['**/*.long.test.js'])],
      pool: 'forks',
      isolate: false,
      // What takes long measures too: one after the other.
      maxWorkers: long ? 1 : 2,
      server: { deps: { external: [/dist/] } },
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  }
})

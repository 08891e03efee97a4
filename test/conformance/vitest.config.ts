import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** For `npm run conformance`. `npm test` runs the same tests in its project `e2e`, except the optional ones. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.test.ts', '*.optional.ts'],
    isolate: false,
    // Most of the time goes into waiting for the service.
    maxWorkers: 4,
    // A service may limit the rate of requests, and then the suite waits.
    testTimeout: 600_000,
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** For `npm run conformance`. `npm test` runs the same tests in its project `worker`, except the optional ones. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.test.ts', '*.optional.ts'],
    isolate: false,
    // Clauses spend most of their time waiting for the server. While some wait for one limit, others use up another.
    maxWorkers: 4,
    sequence: { concurrent: true },
    maxConcurrency: 3,
    // The suite waits if the server limits the rate of requests.
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
  },
})

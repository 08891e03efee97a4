import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { unstable_splitSqlQuery as splitStatements } from 'wrangler'
import { useOwnTemporaryFolder } from './scripts/support/temporary.ts'

// A developer's own settings don't change the tests.
process.env.REGENT_SETTINGS = ''

useOwnTemporaryFolder()

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What the tests of the database need: the worker that runs them can't read files. */
const databaseFiles = {
  TEST_MIGRATIONS: await readD1Migrations(pathTo('migrations')),
  TEST_SCHEMA: splitStatements(await readFile(pathTo('schema.sql'), 'utf8')),
  TEST_OLD_DATABASES: await readD1Migrations(pathTo('test/upgrade/fixtures')),
}

/** Tests of pure functions, which start much faster without a Worker. */
const pureTests = [
  'test/env.test.ts',
  'test/documents/model/**/*.test.ts',
  'test/http/**/*.test.ts',
  'test/shared/**/*.test.ts',
]

export default defineConfig({
  test: {
    // Vitest would use one worker on two cores. Tests often wait, for disks, timers and each other.
    maxWorkers: 3,
    projects: [
      {
        plugins: [
          cloudflareTest({
            // The sources, instead of what the build made of them.
            main: './src/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              d1Databases: ['COPY'],
              bindings: {
                ...databaseFiles,
                AUTH_SECRET: 'a secret of the tests, long enough for them',
                // All tests have the same address. The tests of the limits switch them on.
                RATE_LIMITS: 'off',
                LOG_REQUESTS: 'none',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          // Starting a runtime for each file would take longer than its tests. Each file starts with empty storage.
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            'test/cli/**',
            'test/client/**',
            'test/e2e/**',
            'test/scripts/**',
            'test/server/**',
            ...pureTests,
          ],
          globalSetup: ['test/support/fake-github/server.ts', 'test/support/oidc/server.ts'],
          setupFiles: ['test/support/setup.ts'],
          // A slow machine is no fault: this ends only what hangs.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          restoreMocks: true,
        },
      },
      {
        test: {
          name: 'unit',
          isolate: false,
          include: pureTests,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'client',
          // Starting each file anew takes longer than most tests.
          isolate: false,
          include: ['test/client/**/*.test.ts'],
          testTimeout: 60_000,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        test: {
          name: 'scripts',
          // Starting each file anew takes longer than most tests.
          isolate: false,
          include: ['test/scripts/**/*.test.ts', 'test/cli/**/*.test.ts'],
          // Some build the service or start it.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          include: ['test/server/**/*.test.ts'],
          // Node loads the built Worker as it is.
          server: { deps: { external: [/\/dist\/worker\//] } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // The default is one second, which is too short on a busy machine.
          expect: { poll: { timeout: 60_000 } },
          restoreMocks: true,
        },
      },
      {
        test: {
          name: 'e2e',
          // The browser keeps tests apart. Loading Playwright again for each file takes a second.
          isolate: false,
          // Browsers often wait, for the network and for each other. Groups with different numbers take turns.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/fake-github/server.ts', 'test/e2e/support/setup.ts'],
          // Node loads the built Worker as it is.
          server: { deps: { external: [/\/dist\/worker\//] } },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // The default is one second, which is too short while another worker keeps the machine busy.
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
})

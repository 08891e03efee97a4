import { readFile } from 'node:fs/promises'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const schema = await readFile(new URL('schema.sql', import.meta.url), 'utf8')

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { TEST_SCHEMA: schema, AUTH_SECRET: 'a secret of the tests, long enough for them' },
            },
          }),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**'],
          globalSetup: ['test/support/github/server.ts'],
          setupFiles: ['test/support/setup.ts'],
          testTimeout: 60_000,
          restoreMocks: true,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})

declare namespace Cloudflare {
  interface Env {
    /** schema.sql, handed to the tests by vitest.config.ts. */
    readonly TEST_SCHEMA: string
  }
}

declare namespace Cloudflare {
  interface Env {
    /** The files in migrations/. */
    readonly TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** The statements of schema.sql. */
    readonly TEST_SCHEMA: string[]
    /** The statements of the SQL dumps in test/upgrade/fixtures/. */
    readonly TEST_OLD_DATABASES: import('cloudflare:test').D1Migration[]
  }
}

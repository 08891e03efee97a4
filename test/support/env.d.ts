declare namespace Cloudflare {
  interface Env {
    /** A second database, for a copy of DB that is behind. */
    readonly COPY: D1Database
    /** The files in migrations/. */
    readonly TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** The statements of schema.sql. */
    readonly TEST_SCHEMA: string[]
    /** The statements of the SQL dumps in test/upgrade/fixtures/. */
    readonly TEST_OLD_DATABASES: import('cloudflare:test').D1Migration[]
  }
}

declare module '*.md?raw' {
  const text: string
  export default text
}

declare module '*.webmanifest?raw' {
  const text: string
  export default text
}

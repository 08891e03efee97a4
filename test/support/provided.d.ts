import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the fake GitHub, see `github/server.ts`. */
    gitHubUrl: string
  }
}

import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the fake GitHub, see `fake-github/server.ts`. */
    gitHubUrl: string
  }
}

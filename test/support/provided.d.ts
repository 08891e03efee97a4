import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the look-alike of GitHub is, see github.ts. */
    gitHubUrl: string
  }
}

/** The grammars, which their own types don't describe under `exactOptionalPropertyTypes`. */
declare module '@speed-highlight/core/languages' {
  import type { ShjLanguageData } from '@speed-highlight/core/tokenize'

  const grammars: Readonly<Record<string, ShjLanguageData>>
  export = grammars
}

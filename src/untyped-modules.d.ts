/** The files of single icons, which have no types of their own. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const icon: import('lucide').IconNode
  export default icon
}

/** The grammars, which their own types don't describe under `exactOptionalPropertyTypes`. */
declare module '@speed-highlight/core/languages' {
  import type { ShjLanguageData } from '@speed-highlight/core/tokenize'

  const grammars: Readonly<Record<string, ShjLanguageData>>
  export = grammars
}

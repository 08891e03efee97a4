import { LanguageDescription, LanguageSupport, StreamLanguage } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { findLanguage } from '../../shared/languages.ts'

/** CodeMirror's marks spaces at the ends of lines as errors, and so each blank line that didn't change. */
const DIFF = StreamLanguage.define<null>({
  token: (stream) => {
    const sign = stream.peek()
    stream.skipToEnd()
    return sign === '+' ? 'inserted' : sign === '-' ? 'deleted' : sign === '@' ? 'meta' : null
  },
})

/** Grammars that `@codemirror/language-data` doesn't list, or that replace one in it. */
const MORE_GRAMMARS: readonly LanguageDescription[] = [
  LanguageDescription.of({
    name: 'GraphQL',
    load: async () => new LanguageSupport((await import('cm6-graphql')).graphqlLanguage),
  }),
  LanguageDescription.of({ name: 'Diff', load: async () => new LanguageSupport(DIFF) }),
  LanguageDescription.of({ name: 'HCL', load: async () => (await import('codemirror-lang-hcl')).hcl() }),
]

/** The grammars, by CodeMirror's names, of languages that have another name there or only a similar grammar. */
const GRAMMAR_NAMES: Readonly<Record<string, string>> = {
  asm: 'Gas',
  bash: 'Shell',
  dotenv: 'Properties files',
  elixir: 'Ruby',
  fish: 'Shell',
  hcl: 'HCL',
  ini: 'Properties files',
  jsonl: 'JSON',
  makefile: 'Shell',
  matlab: 'Octave',
  objectivec: 'Objective-C',
  svelte: 'HTML',
  vbnet: 'VB.NET',
  verilog: 'SystemVerilog',
  wasm: 'WebAssembly',
  zig: 'Rust',
}

const grammars = [...MORE_GRAMMARS, ...languages]

/** Null for plain text, logs and CSV, too. */
export function findGrammar(language: string): LanguageDescription | null {
  const known = findLanguage(language)
  if (!known) return null
  const names = [GRAMMAR_NAMES[known.name], known.label, known.name]
  for (const name of names) {
    const grammar = name && LanguageDescription.matchLanguageName(grammars, name, false)
    if (grammar) return grammar
  }
  return null
}

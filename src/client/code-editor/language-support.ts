import type { LanguageSupport } from '@codemirror/language'
import { findGrammar } from '../highlight/grammars.ts'

/** Loads CodeMirror's support for one of our languages; null if it has none. */
export const loadLanguageSupport = async (name: string): Promise<LanguageSupport | null> =>
  (await findGrammar(name)?.load()) ?? null

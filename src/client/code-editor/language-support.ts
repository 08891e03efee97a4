import { LanguageDescription, type LanguageSupport } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { findLanguage, PLAIN_TEXT } from '../../shared/languages.ts'

/** Languages that CodeMirror doesn't have, with a close relative to highlight them as. */
const RELATIVES: Readonly<Record<string, string>> = {
  svelte: 'html',
  elixir: 'ruby',
  objectivec: 'objc',
}

/** Loads CodeMirror's support for one of our languages; null if it has none. */
export async function loadLanguageSupport(name: string): Promise<LanguageSupport | null> {
  const language = findLanguage(name)
  if (!language || language.name === PLAIN_TEXT) return null
  for (const candidate of [RELATIVES[language.name] ?? language.name, language.label]) {
    const description = LanguageDescription.matchLanguageName(languages, candidate, false)
    if (description) return description.load()
  }
  return null
}

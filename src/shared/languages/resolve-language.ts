import { PLAIN_TEXT } from './languages.ts'

/**
 * Returns the language to store for a client's choice.
 *
 * @param choice a language name in lower case, or `auto` to detect it, with code that is loaded when first needed.
 * @param text the plain text; null where the service doesn't know it.
 * @param fileName the name of the file that the text comes from, if any.
 */
export async function resolveLanguage(
  choice: string,
  text: string | null,
  fileName?: string,
): Promise<string> {
  if (choice !== 'auto') return choice
  if (text === null) return PLAIN_TEXT
  const { detectLanguage } = await import('../detection/detect-language.ts')
  return detectLanguage(text, { fileName }).language
}

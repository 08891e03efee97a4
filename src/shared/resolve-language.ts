import { AUTO, PLAIN_TEXT } from './languages.ts'

/** `choice` is in lower case; detecting `auto` loads code. The text is null where the service doesn't know it. */
export async function resolveLanguage(
  choice: string,
  text: string | null,
  fileName?: string,
  maxCharacters?: number,
): Promise<string> {
  if (choice !== AUTO) return choice
  if (text === null) return PLAIN_TEXT
  const { detectLanguage } = await import('./detection/detect-language.lazy.ts')
  return detectLanguage(text, { fileName, maxCharacters }).language
}

import { readStored, store } from './stored.ts'

const KEY = 'languages'
/** Older choices are forgotten. */
const MAX_CHOICES = 200

type Choices = readonly (readonly [id: string, language: string])[]

const isChoice = (value: unknown): value is Choices[number] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

function readChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isChoice) : []
  } catch {
    return []
  }
}

/** Returns the language that the reader chose for a document; null if they chose none. */
export const findLanguageChoice = (id: string): string | null =>
  readChoices().find(([known]) => known === id)?.[1] ?? null

/** Remembers the language that the reader chose for a document, or forgets it. */
export function storeLanguageChoice(id: string, language: string | null): void {
  const others = readChoices().filter(([known]) => known !== id)
  const choices = [...(language === null ? [] : [[id, language]]), ...others].slice(0, MAX_CHOICES)
  store(() => localStorage, KEY, JSON.stringify(choices))
}

import { detectLanguageOf } from '../highlight/highlight-client.ts'
import { parseStored } from '../shared/storage.ts'
import type { DisplayedText } from '../text/displayed-text.ts'

export const CHOICES_KEY = 'languages'

type Choices = readonly (readonly [id: string, language: string])[]

const isChoice = (value: unknown): value is Choices[number] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

export function readChoices(): Choices {
  const stored = parseStored(() => localStorage, CHOICES_KEY)
  return Array.isArray(stored) ? stored.filter(isChoice) : []
}

export const findLanguageChoice = (id: string): string | null =>
  readChoices().find(([known]) => known === id)?.[1] ?? null

/** Not imported from the table of languages, which isn't loaded unless it's needed. */
export const PLAIN_TEXT = 'plaintext'

export interface DocumentLanguage {
  /** Of the document for which the reader's choice is kept. */
  readonly id: string | undefined
  readonly current: () => string
  readonly choice: () => string | null
  /** Of the document's own language, or the detected one. */
  readonly ownLabel: () => string
  readonly choose: (language: string | null) => void
}

interface LanguageOptions {
  readonly section: HTMLElement
  readonly text: DisplayedText
  /** Resolves once the browser has received all of the text. */
  readonly received?: Promise<void>
  readonly onChange: (language: string) => void
}

/** The reader's choice comes first. */
export function startDocumentLanguage({
  section,
  text,
  received,
  onChange,
}: LanguageOptions): DocumentLanguage {
  const { language = PLAIN_TEXT, id, highlightWorker = '', detect: givenTitle } = section.dataset
  const fact = document.querySelector('#shown-language')
  let choice = id === undefined ? null : findLanguageChoice(id)
  let own = { language, label: fact?.textContent ?? language, fact: fact?.textContent ?? language }

  const current = () => choice ?? own.language
  const show = async () => {
    onChange(current())
    if (!fact) return
    if (choice === null) {
      fact.textContent = own.fact
      return
    }
    const { findLanguage } = await import('../../shared/languages.ts')
    if (choice !== null) fact.textContent = findLanguage(choice)?.label ?? choice
  }
  const detect = async (givenTitle: string) => {
    await received
    const detected = await detectLanguageOf(highlightWorker, text, givenTitle)
    if (!detected || detected.language === PLAIN_TEXT) return
    const { language, label } = detected
    own = { language, label, fact: `${label} (detected)` }
    if (choice === null) void show()
  }
  void show()
  if (givenTitle !== undefined) void detect(givenTitle)

  return {
    id,
    current,
    choice: () => choice,
    ownLabel: () => own.label,
    choose: (next) => {
      choice = next
      void show()
    },
  }
}

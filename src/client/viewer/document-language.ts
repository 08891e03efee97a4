import { PLAIN_TEXT, TERMINAL_LABEL } from '../../shared/display.ts'
import { hasEscapeSequences } from '../../shared/escape-sequences.ts'
import type { HighlightTasks } from '../highlight/highlight-worker.ts'
import { parseStored } from '../shared/storage.ts'
import { createWorkerClient } from '../shared/workers.ts'
import type { DisplayedText } from '../text/displayed-text.ts'

export const CHOICES_KEY = 'languages'

type Choices = readonly (readonly [id: string, language: string])[]

const isChoice = (value: unknown): value is Choices[number] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

export function readChoices(): Choices {
  const stored = parseStored('localStorage', CHOICES_KEY)
  return Array.isArray(stored) ? stored.filter(isChoice) : []
}

export const findLanguageChoice = (id: string): string | null =>
  readChoices().find(([known]) => known === id)?.[1] ?? null

/** UTF-16 units that are examined to detect a language. */
const MAX_EXAMINED = 64 * 1024

export type DocumentLanguage = ReturnType<typeof startDocumentLanguage>

interface LanguageOptions {
  readonly section: HTMLElement
  readonly text: DisplayedText
  /** Resolves once the browser has received all of the text. */
  readonly received?: Promise<void>
  readonly onChange: (language: string) => void
}

/** The reader's choice comes first. */
export function startDocumentLanguage({ section, text, received, onChange }: LanguageOptions) {
  const { language = PLAIN_TEXT, id, highlightWorker = '', detect: givenTitle } = section.dataset
  const fact = document.querySelector('#shown-language')
  let choice = id === undefined ? null : findLanguageChoice(id)
  const isTerminal = hasEscapeSequences(text.slice(0, MAX_EXAMINED))
  const getFact = (own: string, name: string) => (isTerminal && name !== 'log' ? TERMINAL_LABEL : own)
  const label = fact?.textContent ?? language
  let own = { language, label, fact: getFact(label, language) }

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
  const detect = async (fileName: string) => {
    await received
    const { ask, stop } = createWorkerClient<HighlightTasks>(highlightWorker)
    const detected = await ask('detect', { text: text.slice(0, MAX_EXAMINED), fileName }).catch(() => null)
    stop()
    if (!detected?.confident || detected.language === PLAIN_TEXT) return
    const { language, label } = detected
    own = { language, label, fact: getFact(label, language) }
    if (choice === null) void show()
  }
  void show()
  if (givenTitle !== undefined) void detect(givenTitle)

  return {
    /** The id of the document for which the reader's choice is kept. */
    id,
    current,
    choice: () => choice,
    /** Names the document's own language, or the detected one. */
    ownLabel: () => own.label,
    choose: (next: string | null) => {
      choice = next
      void show()
    },
  }
}

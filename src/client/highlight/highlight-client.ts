import type { DataCall } from '../data/data-task.ts'
import { startWorker } from '../shared/start-worker.ts'
import type { ParsedTokens, Tokens } from './tokens.ts'

export type HighlightTask =
  | { readonly do: 'highlight'; readonly language: string; readonly text: string }
  | { readonly do: 'detect'; readonly text: string; readonly fileName: string }
  | { readonly do: 'parse-ansi'; readonly text: string }
  | { readonly do: 'data'; readonly number: number; readonly call: DataCall }
  | MarkdownTask

export interface MarkdownTask {
  readonly do: 'render-markdown'
  readonly text: string
  /** UTF-16 units of HTML in one answer; undefined for the default. */
  readonly partLength?: number | undefined
}

export interface TokensAnswer extends ParsedTokens {
  readonly last: boolean
}

interface TerminalAnswer {
  readonly tokens: Tokens
  readonly plainText: string
}

interface DetectionAnswer {
  readonly language: string
  readonly label: string
  readonly confident: boolean
}

export interface MarkdownAnswer {
  /** Not sanitized. */
  readonly html: string
  /** The line that it starts on, counted from 0. */
  readonly line: number
  /** Elements, texts and attributes in it. */
  readonly nodes: number
  readonly last: boolean
}

/** A highlight task gets two for a long text, the first for its beginning; a Markdown task one for each part. */
export type HighlightAnswer =
  | TokensAnswer
  | TerminalAnswer
  | DetectionAnswer
  | MarkdownAnswer
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly problem: string }
  | { readonly unknownLanguage: true }
  | { readonly failed: true }

interface AnswerHandlers {
  readonly onAnswer: (answer: HighlightAnswer, finish: () => void) => void
  /** Called if the worker can't run. Without it, the text stays as it is. */
  readonly onError?: () => void
}

/** Returns a function that stops it. */
export type TaskRunner = (task: HighlightTask, handlers: AnswerHandlers) => () => void

export const createRunner =
  (address: string): TaskRunner =>
  (task, { onAnswer, onError }) => {
    const worker = startWorker(address)
    const finish = () => worker.terminate()
    worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => onAnswer(data, finish))
    worker.addEventListener('error', () => {
      finish()
      onError?.()
    })
    worker.postMessage(task)
    return finish
  }

export interface Highlightable {
  readonly length: number
  readonly slice: (from: number, to: number) => string
}

/** UTF-16 units that are examined to detect a language. */
const MAX_EXAMINED = 64 * 1024

/** The file name may be any title; empty if there is none. Null if the language isn't clear. */
export const detectLanguageOf = (
  address: string,
  text: Highlightable,
  fileName: string,
): Promise<DetectionAnswer | null> =>
  new Promise((resolve) => {
    const task = { do: 'detect', text: text.slice(0, Math.min(text.length, MAX_EXAMINED)), fileName } as const
    createRunner(address)(task, {
      onAnswer: (answer, finish) => {
        finish()
        resolve('confident' in answer && answer.confident ? answer : null)
      },
      onError: () => resolve(null),
    })
  })

/** @throws Error if the text can't be parsed. */
export const parseTerminalOutput = (address: string, text: string): Promise<TerminalAnswer> =>
  new Promise((resolve, reject) => {
    const onError = () => reject(new Error('This terminal output could not be parsed'))
    createRunner(address)(
      { do: 'parse-ansi', text },
      {
        onAnswer: (answer, finish) => {
          finish()
          if ('plainText' in answer) resolve(answer)
          else onError()
        },
        onError,
      },
    )
  })

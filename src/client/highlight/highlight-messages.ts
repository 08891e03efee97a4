import type { Tokens } from './tokens.ts'

export type HighlightTask =
  | { readonly do: 'highlight'; readonly language: string; readonly text: string }
  | { readonly do: 'detect'; readonly text: string; readonly fileName: string }
  | { readonly do: 'parse-ansi'; readonly text: string }
  | MarkdownTask

export interface MarkdownTask {
  readonly do: 'render-markdown'
  readonly text: string
  /** UTF-16 units of HTML in one answer; undefined for the default. */
  readonly partLength?: number | undefined
}

export interface TokensAnswer {
  readonly tokens: Tokens
  readonly end: number
  readonly last: boolean
}

export interface TerminalAnswer {
  readonly tokens: Tokens
  readonly plainText: string
}

export interface DetectionAnswer {
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
  | { readonly unknownLanguage: true }
  | { readonly failed: true }

import type { Tokens } from './tokens.ts'

/** What the page asks the highlight worker to do. */
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
  /** The offset up to which the text was parsed. */
  readonly end: number
  readonly last: boolean
}

export interface TerminalAnswer {
  readonly tokens: Tokens
  /** The text without its escape sequences. */
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

/**
 * What the worker answers. A highlight task gets two answers for a long text, the first one for its beginning. A
 * Markdown task gets one answer for each part of the HTML.
 */
export type HighlightAnswer =
  | TokensAnswer
  | TerminalAnswer
  | DetectionAnswer
  | MarkdownAnswer
  | { readonly unknownLanguage: true }
  | { readonly failed: true }

import { findLastAtMost } from '../text/displayed-text.ts'

/** Each token has three numbers: start offset, end offset, and the index of the style. Tokens of different styles may overlap. */
export type Tokens = Uint32Array<ArrayBuffer>

export interface ParsedTokens {
  readonly tokens: Tokens
  /** The offset up to which the text was parsed: 0 if it's nested too deeply. */
  readonly end: number
}

/** A long text has two: of its beginning first. */
export interface TokensAnswer extends ParsedTokens {
  readonly last: boolean
}

/** Returns null if the language is unknown. */
export type HighlightCode = (
  code: { readonly language: string; readonly text: string },
  onTokens: (answer: TokensAnswer) => void,
) => Promise<TokensAnswer | null>

export type CodeTasks = Readonly<Record<'highlight', HighlightCode>>

export type GetTokens = (text: string, maxMs?: number) => ParsedTokens

export const TOKEN_SIZE = 3

/** code.css and document-extras.css have the same. */
export const CODE_STYLES = [
  'tok-comment',
  'tok-keyword',
  'tok-string',
  'tok-number',
  'tok-type',
  'tok-name',
  'tok-definition',
  'tok-tag',
  'tok-meta',
  'tok-heading',
  'tok-emphasis',
  'tok-link',
  'tok-inserted',
  'tok-deleted',
  'tok-invalid',
  'diff-added',
  'diff-removed',
] as const

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/** code.css has the same: 16 text colours, 8 background colours, 2 lines, and bold text. */
export const ANSI_STYLES = [
  ...COLOURS.map((colour) => `ansi-${colour}`),
  ...COLOURS.map((colour) => `ansi-bright-${colour}`),
  ...COLOURS.map((colour) => `ansi-on-${colour}`),
  'ansi-underline',
  'ansi-strike',
  'ansi-bold',
] as const

export function* getTokensBetween(tokens: Tokens, start: number, end: number) {
  // Ends ascend like starts, because tokens overlap only if they cover the same range in different styles.
  let index = Math.max(0, findLastAtMost(tokens, start, TOKEN_SIZE))
  while (index > 0 && (tokens[(index - 1) * TOKEN_SIZE + 1] ?? 0) > start) index -= 1
  for (let at = index * TOKEN_SIZE; at < tokens.length; at += TOKEN_SIZE) {
    const [from, to] = [tokens[at] ?? 0, tokens[at + 1] ?? 0]
    if (from >= end) return
    if (to > start) yield { from, to, style: tokens[at + 2] ?? 0 }
  }
}

/**
 * What is coloured in a text: of each token where it starts, where it ends, and which of the names it is
 * coloured by, three numbers each, in the order of the text. Tokens of different names may overlap.
 */
export type Tokens = Uint32Array<ArrayBuffer>

export const TOKEN_SIZE = 3

/** What the styles of code are known by. */
export const CODE_NAMES = [
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
] as const

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/** What the styles of terminal colours are known by: 16 colours of text, 16 behind it, two lines. */
export const ANSI_NAMES = [
  ...COLOURS.map((colour) => `ansi-${colour}`),
  ...COLOURS.map((colour) => `ansi-bright-${colour}`),
  ...COLOURS.map((colour) => `ansi-on-${colour}`),
  ...COLOURS.map((colour) => `ansi-on-bright-${colour}`),
  'ansi-underline',
  'ansi-strike',
] as const

export type HighlightTask =
  | { readonly do: 'highlight'; readonly language: string; readonly text: string }
  | { readonly do: 'colours'; readonly text: string }
  | { readonly do: 'markdown'; readonly text: string }

/**
 * What a task answers; one of highlighting answers twice, the first time for the beginning alone, and one of
 * Markdown for each part.
 */
export type HighlightAnswer =
  | {
      readonly tokens: Tokens
      /** How far the text was looked at. */
      readonly end: number
      /** Whether nothing more comes. */
      readonly last: boolean
      /** The text without its escape sequences, where these were asked for. */
      readonly text?: string
    }
  | {
      /** Not cleaned yet. */
      readonly html: string
      readonly last: boolean
    }
  | { readonly unknown: true }

import score from 'flourite'
import { findLanguageOfFile } from '../file-languages.ts'
import { findLanguage, PLAIN_TEXT } from '../languages.ts'

/** Only the start of a text is examined: some patterns take time quadratic in the length of a line. */
const MAX_EXAMINED_CHARACTERS = 4_096
const MAX_EXAMINED_LINES = 60
const MAX_EXAMINED_LINE_CHARACTERS = 120

/** Patterns that leave no doubt, tried before any scoring. */
const CERTAIN_PATTERNS: readonly (readonly [language: string, form: RegExp])[] = [
  ['php', /^<\?php\b/],
  ['xml', /^<\?xml\b/],
  ['html', /^<!doctype html|^<html[\s>]/i],
  ['diff', /^(diff --git |Index: |--- \S.*\n\+\+\+ )/],
  ['python', /^#!.*\bpython/],
  ['javascript', /^#!.*\b(node|deno|bun)\b/],
  ['ruby', /^#!.*\bruby\b/],
  ['perl', /^#!.*\bperl\b/],
  ['javascript', /^(const|let|var) .*\brequire\(/m],
  ['bash', /^#!.*\b(ba|z|da|k)?sh\b/],
  ['dockerfile', /^(#.*\n|\n)*FROM \S+( AS \S+)?\n(.*\n)*?(RUN|COPY|CMD|WORKDIR|ENTRYPOINT) /],
  ['toml', /^(#.*\n|\n)*\[\[?[\w.-]+\]\]?\n(.*\n)*?[\w.-]+ = ("|\[|\d|true|false)/],
  ['ini', /^([;#].*\n|\n)*\[[^\]\n]+\]\n([;#].*\n|\n)*[\w.-][\w. -]{0,60}=/],
  ['ini', /^([A-Z_][A-Z0-9_]*=.*(\n|$)){2}/],
  ['markdown', /^#{1,6} \S.*\n(\n|[^\n#])/],
  ['markdown', /^([-*+] [^:\n]*(\n|$)){2}/],
  [
    'css',
    /^(?!interface|type|class|enum|struct|record|object|module)(@(media|import|charset|font-face)\b|(:root|[.#]?[a-z][\w-]*)[^{}\n;=()]*\{\s*(--)?[a-z-]+\s*:[^;{}]+[;}])/,
  ],
  ['haskell', /^(import .*\n|\n)*module [A-Z][\w.]*\s*(\(|where)/],
  ['ruby', /^(class|module) [A-Z][\w:]*( < [A-Z][\w:]*)?\n(.*\n)*?\s+def [a-z_]/],
  ['swift', /^import (Foundation|UIKit|SwiftUI|AppKit|Combine)$/m],
  ['plaintext', /^(Traceback \(|Exception in thread |panic: )/],
]

/** A text with a lower score is prose that happens to contain a brace. */
const MIN_SCORE = 4

function isJson(text: string, whole: boolean): boolean {
  if (!/^[[{]/.test(text)) return false
  if (!whole) return /^[[{]\s*("([^"\\\n]|\\.){0,200}"\s*[:,]|[[{\d])/.test(text)
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export interface DetectedLanguage {
  /** A name from `LANGUAGES`; `plaintext` if no other is clearly more likely. */
  readonly language: string
  /** False if the text gives little evidence, such as a single short line. */
  readonly confident: boolean
}

/**
 * Detects the language of a text from its file name, if it has one, and from its start.
 *
 * @example detectLanguage('select 1;').language // 'sql'
 */
export function detectLanguage(
  text: string,
  { fileName = '' }: { readonly fileName?: string | undefined } = {},
): DetectedLanguage {
  const fromFileName = findLanguageOfFile(fileName)
  if (fromFileName) return { language: fromFileName, confident: true }
  const language = detectFromText(text)
  return { language, confident: language !== PLAIN_TEXT }
}

function detectFromText(text: string): string {
  const start = text.slice(0, MAX_EXAMINED_CHARACTERS).replaceAll('\r\n', '\n').trim()
  if (isJson(start, text.length <= MAX_EXAMINED_CHARACTERS)) return 'json'
  const lines = start
    .split('\n', MAX_EXAMINED_LINES)
    .map((line) => line.slice(0, MAX_EXAMINED_LINE_CHARACTERS))
  const sample = lines.join('\n')
  for (const [language, form] of CERTAIN_PATTERNS) if (form.test(sample)) return language
  const { language, statistics } = score(sample, { shiki: true, noUnknown: false })
  const points = Math.max(...Object.values(statistics))
  return points < MIN_SCORE ? PLAIN_TEXT : (findLanguage(language)?.name ?? PLAIN_TEXT)
}

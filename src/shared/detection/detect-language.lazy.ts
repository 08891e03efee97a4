import { isDiff } from '../compare/parse-diff.ts'
import { areKnownFiles } from '../find-files.ts'
import { findLanguage, findLanguageOfFile, PLAIN_TEXT, TXTAR } from '../languages.ts'
import { parseArchive } from '../txtar.ts'
import {
  detectConfiguration,
  detectTable,
  getProseRatio,
  isJson,
  isJsonFragment,
  isJsonLines,
  isLog,
  isProseLine,
  type Sample,
  takeSample,
  withoutBlockScalars,
} from './formats.ts'
import { isOutput, OUTPUT_SIGNS } from './output.ts'
import { SIGNS, type Sign } from './signs.ts'

/** Languages that have everything another language has: their own signs count on top of its. */
const EXTENDED: readonly (readonly [language: string, base: string, minOwnPoints: number])[] = [
  ['typescript', 'javascript', 3],
  ['jsx', 'javascript', 4],
  ['cpp', 'c', 3],
  ['objectivec', 'c', 3],
  ['scss', 'css', 3],
  ['less', 'css', 3],
  ['crystal', 'ruby', 4],
  ['vue', 'html', 5],
  ['svelte', 'html', 5],
]

type Score = ReturnType<typeof scoreLanguages>[number]

/** TSX has no signs of its own: it shows the signs of both JSX and TypeScript. */
const MIN_SIGNS_OF_TSX = 2

/** The same sign counts less each time. */
function addUp(text: string, signs: readonly Sign[]): { points: number; found: number } {
  let points = 0
  let found = 0
  for (const [weight, pattern] of signs) {
    const count = text.match(pattern)?.length ?? 0
    if (count > 0 && weight > 0) found++
    points += weight * (2 - 2 ** (1 - Math.min(count, 4)))
  }
  return { points, found }
}

export function scoreLanguages(text: string) {
  const points = new Map<string, number>()
  const found = new Map<string, number>()
  for (const [language, signs] of SIGNS) {
    const sum = addUp(text, signs)
    points.set(language, sum.points)
    found.set(language, sum.found)
  }
  const get = (language: string) => points.get(language) ?? 0
  const own = new Map(points)
  for (const [language, base, minOwnPoints] of EXTENDED) {
    const ownPoints = own.get(language) ?? 0
    if (ownPoints >= minOwnPoints) points.set(language, ownPoints + (own.get(base) ?? 0))
    else points.set(language, Math.min(ownPoints, 1))
  }
  if ((own.get('javascript') ?? 0) < 2) points.set('jsx', Math.min(get('jsx'), 2))
  if (get('jsx') > 4 && (own.get('typescript') ?? 0) >= 3)
    points.set('tsx', get('jsx') + (own.get('typescript') ?? 0))
  return [...points]
    .map(([language, total]) => ({ language, points: total, signs: found.get(language) ?? MIN_SIGNS_OF_TSX }))
    .filter((score) => score.points > 0)
    .sort((a, b) => b.points - a.points)
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/
const LINK = /\[[^[\]\n]*\]\((?=[^()\s]*[./#:])[^()\s]*\)/
const TASK = /^\s*[-*+] \[[ xX]\] \S/
const TABLE_RULE = /^\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?$/
const EMPHASIS = /(?:^|[\s(])(?:\*\*|__)[^\s*_][^*_\n]*(?:\*\*|__)(?=[\s.,:;!?)]|$)/
const HEADING = /^#{1,6} \S/
const UNDERLINE = /^(?:={3,}|-{3,})$/
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)]) +\S/
/** A setting with several values has no punctuation, and is rarely longer. */
const MIN_UNPUNCTUATED_WORDS = 8

const isSentence = (line: string): boolean =>
  isProseLine(line) &&
  (/[.!?:;,…。！？、][)"'»”’*_]*$/u.test(line) || line.trim().split(/\s+/).length >= MIN_UNPUNCTUATED_WORDS)

/** Tells whether a sentence follows, after empty lines. A comment stands right above what it describes. */
function leadsToSentence(lines: readonly string[], index: number): boolean {
  if (lines[index + 1] !== '') return false
  const next = lines.slice(index + 1).find((line) => line !== '')
  return next !== undefined && isSentence(next)
}

/** Tells whether a text is a title and a list in words. A comment stands right above its list, which has no spaces. */
function isOutline(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  const items = filled.filter((line) => LIST_ITEM.test(line))
  const headings = filled.filter((line) => HEADING.test(line))
  if (items.length === 0 || !/^#{1,6} \p{Lu}/u.test(headings[0] ?? '')) return false
  if (items.length + headings.length < filled.length || items.some((line) => /: |:$| = |["{]/.test(line)))
    return false
  return lines[lines.indexOf(headings[0] ?? '') + 1] === '' || items.every((line) => /\S \S+ \S/.test(line))
}

/**
 * Tells whether a text has something that no configuration and no script has. Lines that start with `#` are comments in
 * most of them, and lines that start with `-` are lists of settings.
 */
function hasMarkdownProof(text: string): boolean {
  const lines = text.split('\n')
  if (lines.filter((line) => FENCE.test(line)).length >= 2 || isOutline(lines)) return true
  return lines.some(
    (line, index) =>
      LINK.test(line) ||
      TASK.test(line) ||
      TABLE_RULE.test(line) ||
      (EMPHASIS.test(line) && !/^\s*(?:\/\/|\*|#)/.test(line)) ||
      (LIST_ITEM.test(line) && isSentence(line)) ||
      (HEADING.test(line) && leadsToSentence(lines, index)) ||
      (UNDERLINE.test(line) && /^\p{Lu}/u.test(lines[index - 1] ?? '') && leadsToSentence(lines, index)),
  )
}

/** Takes one pass, even if no comment ends. */
function withoutBlockComments(text: string): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2)
    if (end === -1) return result + text.slice(at)
    result += text.slice(at, start)
    at = end + 2
  }
}

/** Removes text that says nothing about the language: words in comments, and code in the fences of Markdown. */
function withoutComments(text: string): string {
  let fenced = false
  const lines = withoutBlockComments(text).split('\n')
  const kept = lines.filter((line, index) => {
    if (FENCE.test(line)) {
      fenced = !fenced
      return true
    }
    if (fenced || /^\s*\/\/ /.test(line)) return false
    // One line with `# ` may be a heading of Markdown; several in a row are a comment.
    const neighbours = [lines[index - 1] ?? '', lines[index + 1] ?? '']
    return !(/^\s*# /.test(line) && neighbours.some((neighbour) => /^\s*#( |$)/.test(neighbour)))
  })
  return kept.join('\n')
}

/** Interpreters whose names are neither those of their languages nor extensions. */
const INTERPRETERS: readonly (readonly [language: string, programs: string])[] = [
  ['bash', 'dash ash'],
  ['commonlisp', 'sbcl emacs'],
  ['erlang', 'escript'],
  ['haskell', 'runghc'],
  [PLAIN_TEXT, 'osascript awk'],
  ['r', 'rscript'],
  ['scheme', 'guile'],
  ['tcl', 'expect tclsh wish'],
  ['typescript', 'deno bun ts-node tsx'],
]

function detectInterpreter(firstLine: string): string | null {
  const match = /^#! ?\S*?(?:\/env (?:-S )?(?:\w+=\S+ )*)?([\w.+-]+)(?: |$)/.exec(firstLine)
  const program = match?.[1]?.toLowerCase().replace(/[\d.]+$/, '')
  if (!program) return null
  const known = INTERPRETERS.find(([, programs]) => programs.split(' ').includes(program))
  return known?.[0] ?? findLanguage(program)?.name ?? null
}

/** Reads what is written for editors: `-*- mode: ruby -*-`, `vim: set ft=python:`. */
function detectModeline({ lines }: Sample): string | null {
  for (const line of [...lines.slice(0, 2), ...lines.slice(-2)]) {
    const emacs = /-\*-(?:[^*]*?\bmode:)? *([\w+#-]+) *(?:;[^*]*)?-\*-/i.exec(line)?.[1]
    const vim = /\b(?:vim?|ex):.*?\b(?:ft|filetype|syntax)=(\w+)/.exec(line)?.[1]
    const language = findLanguage(vim ?? emacs ?? '')?.name
    if (language && language !== PLAIN_TEXT) return language
  }
  return null
}

const FIRST_CHARACTERS: readonly (readonly [language: string, pattern: RegExp])[] = [
  // Keys, certificates and messages of PGP (RFC 7468, RFC 9580)
  [PLAIN_TEXT, /^(Bag Attributes\n[\s\S]{0,2000}\n)?-----BEGIN [A-Z\d][A-Z\d ]{1,60}-----\n/],
  ['php', /^<\?php\b|^<\?=/],
  ['xml', /^<\?xml\b|^<svg[\s>]|^<!DOCTYPE (?!html)/],
  ['html', /^<!doctype html|^<html[\s>]/i],
  ['diff', /^(diff --git |Index: \S+\n=+\n|From [\da-f]{40} |@@ -\d+(,\d+)? \+\d+(,\d+)? @@)/],
  ['diff', /^(Only in .*\n|diff -\S+ .*\n)*--- \S.*\n\+\+\+ \S.*\n@@ /],
  ['diff', /^\*\*\* Begin Patch\n\*\*\* (Add|Update|Delete) File: /],
  ['diff', /^commit [\da-f]{40}\b[\s\S]{0,2000}\ndiff --git /],
  ['go', /^module [\w./~-]+\n+(go \d|require |toolchain )/],
  ['http', /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ HTTP\/[\d.]+\n|^HTTP\/[\d.]+ \d{3}\b/],
  ['latex', /^(%.*\n)*\\documentclass\b/],
  [
    'mermaid',
    /^(%%.*\n)*((flowchart|graph) (TB|TD|BT|RL|LR)|(sequence|class|er|requirement)Diagram|stateDiagram(-v2)?|gitGraph:?) *;?\n/,
  ],
  ['protobuf', /^((\/\/.*)?\n)*syntax = "proto[23]"/],
]

/** Lines of configurations that have no highlighting, and look like scripts or markup. */
const PLAIN_LINES: readonly RegExp[] = [
  // i3 and Sway
  /^\s*bindsym (--\S+ )*\S+ \S/m,
  // tmux
  /^(set(-option)?|setw|set-window-option) -g \S+ |^(un)?bind(-key)? (-\S+ )*(C-)?\S$/m,
  // Apache
  /^\s*<(Directory|VirtualHost|IfModule|Location|Files)(Match)?( [^>\n]*)?>$/m,
  // OpenSSH
  /^(PermitRootLogin|PasswordAuthentication|PubkeyAuthentication|AuthorizedKeysFile|HostKey) \S/m,
  // just
  /^set (shell|dotenv-load|export|positional-arguments|quiet|working-directory|windows-shell|fallback|ignore-comments)( :=|$)/m,
  /^ +@?just (--list|-l)\b|^@?[a-z][\w-]*( \w+)* ([*+]\w+|\w+=(['"])[^'"\n]*\4):( [\w-]+)*\n +\S/m,
  // Prisma
  /^[ \t]+[a-z]\w* +[A-Z]\w*(\[\]|\?)? +@(id @|default\(|relation\(|unique\b|updatedAt\b)|^[ \t]+@@(index|id|unique|map)\(/m,
  // Vim
  /^\s*set (no)?(compatible|number|hlsearch|incsearch|expandtab)$|^\s*[nvi]?(nore)?map <\S+> \S/m,
]

/** The first line must be the header of such a file: a header in the middle may be part of an example. */
const isArchive = ({ text }: Sample): boolean => areKnownFiles(parseArchive(text) ?? [])

export function detectSignature(sample: Sample): string | null {
  // What is in its files says nothing about the archive.
  if (isArchive(sample)) return TXTAR
  const fromInterpreter = detectInterpreter(sample.lines[0] ?? '')
  if (fromInterpreter) return fromInterpreter
  for (const [language, pattern] of FIRST_CHARACTERS) if (pattern.test(sample.text)) return language
  return (
    detectModeline(sample) ??
    detectFileComment(sample.lines[0] ?? '') ??
    (PLAIN_LINES.some((pattern) => pattern.test(sample.text)) ? PLAIN_TEXT : null)
  )
}

function detectFileComment(firstLine: string): string | null {
  const name = /^(?:\/\/|#|--|;|\/\*|<!--) ?(?:file(?:name)?: ?)?([\w./-]+\.\w+)(?: ?\*\/| ?-->)?$/i.exec(
    firstLine,
  )?.[1]
  return name ? findLanguageOfFile(name) : null
}

/** A text with fewer points is plain text. */
const MIN_POINTS = 4
/** How many more points a text needs if all its lines are sentences. A tenth may be comments. */
const PROSE_POINTS = 20
/** A text with so many points, and so many times as many as any other language has, is certain. */
const CONFIDENT_POINTS = 7
const CONFIDENT_LEAD = 1.3
/** One sign may be a coincidence, however often it is there. */
const CONFIDENT_SIGNS = 2
/** The share of sentences above which a text that isn't in a prose format may be prose with examples of code. */
const CONFIDENT_PROSE_RATIO = 0.25

/** The output of a tool has at least so many points of its own signs, and more than any language: tools quote code. */
const OUTPUT_POINTS = 5

const PROSE_FORMATS: ReadonlySet<string> = new Set(['markdown', 'latex', 'html'])

const LATEX_STRUCTURE =
  /\\(documentclass|usepackage|(sub)*section|chapter|maketitle|newcommand|item|label|cite|ref)\b|\\begin\{(tikzpicture|figure|table|tabular|frame|theorem|proof|abstract)\b/
const FORMULA = /^\s*(\\\[|\$\$)|\\\(|\$[^$\n]+\$/m

/** Formulas in a text without structure may be anybody's notes, such as the answer of a language model. */
const isLatex = (text: string): boolean => LATEX_STRUCTURE.test(text) || !FORMULA.test(text)

const hasExtension = (fileName: string): boolean => /^\S*[^\s./\\]\.[a-z][\w-]{0,11}$/i.test(fileName)

/**
 * Detects the language of a text. Signs that leave no doubt come first: file name, shebang, first characters. The signs
 * of languages come last. Returns `plaintext` if no other language is clearly more likely, and whether the text gives
 * more than little evidence.
 */
export function detectLanguage(
  text: string,
  {
    fileName = '',
    maxCharacters,
  }: {
    readonly fileName?: string | undefined
    /** How much of the text is examined, if it's less than usual. */
    readonly maxCharacters?: number | undefined
  } = {},
) {
  const fromFileName = findLanguageOfFile(fileName)
  if (fromFileName) return { language: fromFileName, confident: true }
  const sample = takeSample(text, maxCharacters)
  const certain = detectSignature(sample) ?? detectStructure(sample)
  if (certain) return { language: certain, confident: true }
  // Another program's format: whatever it looks like, it isn't a language with an extension of its own.
  return hasExtension(fileName) ? { language: PLAIN_TEXT, confident: true } : detectFromSigns(sample)
}

function detectStructure(sample: Sample): string | null {
  if (isDiff(sample.text)) return 'diff'
  if (isJsonLines(sample)) return 'jsonl'
  if (isJson(sample) || isJsonFragment(sample)) return 'json'
  if (isLog(sample)) return 'log'
  if (isOutput(sample)) return PLAIN_TEXT
  return detectTable(sample)
}

/** Text that proves to be Markdown needs few other signs. */
const PROOF_POINTS = 3

const addProof = (score: Score): Score =>
  score.language === 'markdown' ? { ...score, points: score.points + PROOF_POINTS } : score

function detectFromSigns(sample: Sample) {
  const proseRatio = getProseRatio(withoutComments(sample.text).split('\n'))
  const configuration = proseRatio < 0.5 ? detectConfiguration(sample) : null
  const text = withoutComments(configuration === 'yaml' ? withoutBlockScalars(sample.text) : sample.text)
  const isMarkdown = hasMarkdownProof(text)
  const [first, second] = scoreLanguages(text)
    .filter(({ language }) => language !== 'markdown' || isMarkdown)
    .filter(({ language }) => language !== 'latex' || isLatex(text))
    .map(addProof)
    .sort((a, b) => b.points - a.points)
  const output = addUp(text, OUTPUT_SIGNS)
  const likely = Math.max(first?.points ?? 0, configuration ? CONFIDENT_POINTS : OUTPUT_POINTS)
  if (output.points >= likely) return { language: PLAIN_TEXT, confident: output.found >= CONFIDENT_SIGNS }
  if (configuration && (first?.points ?? 0) < 2 * CONFIDENT_POINTS)
    return { language: configuration, confident: true }
  if (!first) return { language: PLAIN_TEXT, confident: false }
  const proseFormat = PROSE_FORMATS.has(first.language)
  const needed = MIN_POINTS + (proseFormat ? 0 : PROSE_POINTS * Math.max(0, proseRatio - 0.1))
  if (first.points < needed) return { language: PLAIN_TEXT, confident: false }
  const confident =
    first.signs >= CONFIDENT_SIGNS &&
    (proseFormat || proseRatio <= CONFIDENT_PROSE_RATIO) &&
    first.points >= CONFIDENT_POINTS &&
    first.points >= CONFIDENT_LEAD * (second?.points ?? 0)
  return { language: first.language, confident }
}

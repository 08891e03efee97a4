import { findLanguage, PLAIN_TEXT } from './languages.ts'

const MAX_TITLE_CHARACTERS = 80
/** UTF-16 units that are searched. Text without a meaningful line in them has no title. */
const MAX_SEARCHED_UNITS = 4_096
const MAX_LINE_UNITS = 500

/** Terminal escape sequences, whose letters and digits would stay when their control characters go. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
  /\x1B(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1B]*(?:\x07|\x1B\\)|[ -/]*[0-~])/g

/** Control and format characters, which are invisible or could reverse the text of a list. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/** Comments that are for programs. */
const PREAMBLE =
  /^(?:#!|<\?|<!doctype\b|%YAML\b|(['"])use strict\1;?$|(?:[#;%*]+|\/\/+|\/\*+|<!--) *(?:-\*-|vim?:|SPDX-|@ts-|eslint|prettier|biome|pylint|noqa|type:|coding[:=]|frozen_string_literal|pragma\b|region\b))/i

/** What opens a comment, in any language. `--` opens one in SQL and Lua, `;` in Lisp and INI, `%` in LaTeX. */
const COMMENT = /^(?:\/\*+|<!--|"""|'''|--(?:\[\[)?(?=\s)|\/\/+[/!]?|[#;%]+(?=\s)|\*(?=\s))\s*/
const COMMENT_END = /(?:\*\/|-->|"""|'''|\]\])$/

const HEADING = /^#{1,6}\s+/
const LIST_ITEM = /^(?:[-+•*]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+|>+\s*)+/

/** Elements of a page or of the HTML in a README. Others are data. */
const TAG = /<\/?([a-z][\w:-]*)(?:\s[^<>]*)?\/?>/gi
const TEXT_TAGS: ReadonlySet<string> = new Set(
  'a abbr b big body br center code div em font h1 h2 h3 h4 h5 h6 head header hr html i img link meta p picture section small source span strong sub summary sup details title u'.split(
    ' ',
  ),
)

/** Images say nothing; links, emphasis and code leave their text. */
const removeMarkup = (line: string): string =>
  line
    .replaceAll(/!\[[^\]]{0,300}\](?:\([^()]{0,300}\)|\[[^\]]{0,300}\])/g, '')
    .replaceAll(/\[([^[\]]{0,300})\](?:\([^()]{0,300}\)|\[[^[\]]{0,300}\])/g, '$1')
    .replaceAll(/`([^`]{1,300})`/g, '$1')
    .replaceAll(/\*\*([^\s*][^*]{0,300})\*\*/g, '$1')
    .replaceAll(/(?<![\w*])\*([^\s*][^*]{0,300})\*/g, '$1')
    .replaceAll(/(?<!\w)__?([^\s_][^_]{0,300})__?(?!\w)/g, '$1')
    .replaceAll(/~~([^\s~][^~]{0,300})~~/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** A name of something secret before its value. */
const SECRET =
  /(?:passw(?:or)?d|passphrase|secret|token|api[_ -]?key|credential|bearer)s?["']?\s*(?:[:=]|\bis\b)/i
/** A key, a hash or an identifier: what a person wouldn't write. */
const RANDOM =
  /(?:^|\s)(?:AKIA|ghp_|sk-|xox|imperial_)|(?:^|\s)(?=[^\s\d]*\d)(?=[^\sA-Za-z]*[A-Za-z])[\w+/=-]{20}|(?:^|\s)\W?(?=[a-f]*\d)[\da-f]{16}/

/** Signs of code and data, in any language. */
const CODE: readonly RegExp[] = [
  /[{}]|^[\\|]|\|\||=[=>]|\w->\w|::|&&|\$[\w({]|^[<&.]|^@\w+(?:\(|$)|(?:^|\s)\.\w|[;{(=]$/,
  /(?:^|\s)[\w.$-]+\s?[-+*/]?=(?!\S*\?)/,
  /[\w\]]\(|\w\[|^[[(]|^["']?[\w-]+["']\s*:|^[\w-]+:(?:\s\S+)?$/,
  /^(?:import|from|package|use|using|module|require|include|namespace|const|let|var|def|class|function|fn|func|fun|pub|public|private|protected|static|return|export|extern|struct|enum|interface|trait|impl|echo|print|puts|program|procedure|defmodule|section|end|set|unset|alias|sudo|git|npm|apt|apt-get|docker|cd|curl|wget|FROM|RUN|COPY|ARG|ENV)\s+[\w"'$./<{*@#-]+[;:]?$/,
  /^(?:if|elif|else|for|while|try|with|match|case)\b.*:$|^module \S+ where$/,
  /^(?:sudo|git|npm|npx|yarn|pnpm|apt|apt-get|brew|docker|kubectl|pip3?|cargo|curl|wget|mkdir|chmod|ssh|systemctl) [\w./-]/,
  /^(?:import|from)\s+\S+\s+(?:import|as|from)\b|^#(?:include|define|if|pragma|import)\b/,
  /^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|BEGIN|WITH|insert into|delete from|create (?:table|index|view|database))\s|^select .+ from\b/,
  /^(?:diff --git|---? [ab]\/|\+\+\+ |@@ |Index: |-----BEGIN|\$ |> \w+$|PS [A-Z]:)/,
]

/** Starts of entries in logs: a time of the day with seconds, a date and a time, or a level. */
const LOG =
  /^\W{0,2}(?:\d{4}[-/.]\d\d[-/.]\d\d[T ,]|\d{1,2}:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\d\d[-/.]\w{2,3}[-/.]\d{2,4}[: ]|\d{9,})|^\W{0,2}(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|FATAL|CRITICAL|SEVERE)\b|^\S+ \S+ \S+ \[\d\d\//

/** Rows of tables, and addresses and paths alone. */
const ROW = /\w,\w+,\w|^\w+:\/\/\S+$|^(?:\/|~\/|[A-Z]:)\S*$/
/** Code that was commented out says nothing, and neither does a licence. */
const DISABLED_CODE = /[;{}]$|^\S+\s?=\s?\S|^\w+\(.*\)$|^(?:[Cc]opyright|[Ll]icen[cs]ed?)\b/

const NO_SENTENCE: readonly RegExp[] = [LOG, SECRET, RANDOM, ROW, ...CODE]

/** One word alone is a title only if it is one of a language. */
const LONE_WORD = /^[^\w]*$|^[\p{L}\p{M}_'’-]+[.!?:…]?$|^\d{1,8}$/u

/** Undefined: the line says nothing; the next one may. Null: what follows is code or data. */
function readLine(raw: string): string | null | undefined {
  const line = raw.replaceAll(CONTROLS, ' ').trim()
  if (line === '' || PREAMBLE.test(line)) return undefined
  if (/^[^\p{L}\p{N}\p{So}]+$/u.test(line)) return /^[[{(]/.test(line) ? null : undefined
  if (raw.includes('\t') && /\S\t/.test(raw)) return null
  const heading = HEADING.test(line)
  const comment = COMMENT.test(line) && !/^(?:---? [ab]\/|\*\*)/.test(line)
  if (heading || comment) return readComment(line.replace(COMMENT, ''))
  const tags = line.startsWith('<') ? [...line.matchAll(TAG)] : []
  if (tags.some(([, name = '']) => !TEXT_TAGS.has(name.toLowerCase()))) return null
  const text = removeMarkup((tags.length > 0 ? line.replaceAll(TAG, '') : line).replace(LIST_ITEM, ''))
  if (!WORDS.test(text)) return undefined
  for (const pattern of NO_SENTENCE) if (pattern.test(text)) return null
  return text.includes(' ') || LONE_WORD.test(text) ? text : null
}

const WORDS = /[\p{L}\p{N}\p{So}]/u

function readComment(text: string): string | undefined {
  const words = removeMarkup(text.replace(COMMENT_END, '').replaceAll(TAG, '')).replace(/ #+$/, '')
  const refused = SECRET.test(words) || RANDOM.test(words) || LOG.test(words) || DISABLED_CODE.test(words)
  return WORDS.test(words) && !refused ? words : undefined
}

/** Cuts after a word, unless the last word is long. */
function shorten(title: string): string {
  const characters = [...title]
  if (characters.length <= MAX_TITLE_CHARACTERS) return title
  const kept = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')
  return `${kept.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`
}

/** The title in the metadata at the start of many Markdown files. */
const FRONT_MATTER = /^---\n([\s\S]*?)\n---(?:\n|$)/

function readFrontMatter(metadata: string): string | null {
  const value = (/^title:(.*)$/m.exec(metadata)?.[1] ?? '').replaceAll(CONTROLS, ' ').trim()
  return value.replace(/^(["'])(.*)\1$/, '$2') || null
}

/** Languages whose texts have no title. */
const DATA: ReadonlySet<string> = new Set(['json', 'jsonl', 'csv', 'tsv', 'log', 'diff', 'http', 'dotenv'])

/**
 * A heading, a sentence or a comment at the start, without markup and invisible characters. Null where the text starts
 * with code, data, a log or something secret.
 */
export function deriveTitle(text: string, language: string | null = null): string | null {
  const name = language === null ? PLAIN_TEXT : (findLanguage(language)?.name ?? PLAIN_TEXT)
  if (DATA.has(name)) return null
  const start = text
    .slice(0, MAX_SEARCHED_UNITS)
    .replace(/^\uFEFF/, '')
    .replaceAll(ESCAPES, '')
    .replaceAll(/\r\n?/g, '\n')
  const metadata = FRONT_MATTER.exec(start)
  const given = metadata && readFrontMatter(metadata[1] ?? '')
  if (given) return shorten(given)
  let fenced = false
  for (const line of start.slice(metadata?.[0].length ?? 0).split('\n')) {
    if (/^\s*(?:`{3}|~{3})/.test(line)) fenced = !fenced
    else if (!fenced) {
      const title = readLine(line.slice(0, MAX_LINE_UNITS))
      if (title !== undefined) return title && shorten(title)
    }
  }
  return null
}

/**
 * The title of a text that nobody gave one. A text without words to name it by is named by its language, or null if
 * that isn't known, and its length.
 *
 * @example nameText('print(1)\nprint(2)\n', 'python') // 'Python, 2 lines'
 */
export function nameText(text: string, language: string | null): string {
  const title = deriveTitle(text, language)
  if (title !== null) return title
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  const length = lines === 1 ? '1 line' : `${lines.toLocaleString('en')} lines`
  return language === null ? length : renameText(length, language)
}

const LENGTH = /^(?:[^,]+, )?([\d,]+ lines?)$/

/** Whether nothing but its length names a text. */
export const isLength = (title: string): boolean => LENGTH.test(title)

/** The title of a text whose language has become another. */
export function renameText(title: string, language: string): string {
  const length = LENGTH.exec(title)?.[1]
  return length === undefined ? title : `${findLanguage(language)?.label ?? language}, ${length}`
}

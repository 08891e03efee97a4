import { removeEscapeSequences } from './escape-sequences.ts'
import { formatCount } from './format.ts'
import { findLanguage, getFileExtension, PLAIN_TEXT, TXTAR } from './languages.ts'
import { countLineBreaks, toShownLines } from './lines.ts'
import { readFirstFile } from './txtar.ts'

const MAX_DERIVED_TITLE_CHARACTERS = 80
/** UTF-16 units that are searched. Text without a meaningful line in them has no title. */
const MAX_SEARCHED_UNITS = 4_096
const MAX_LINE_UNITS = 500

/** Control and format characters, which are invisible or could reverse the text of a list. */
export const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/** Comments that are for programs. */
const PREAMBLE =
  /^(?:#!|<\?|<!doctype\b|%YAML\b|(['"])use strict\1;?$|(?:[#;%*]+|\/\/+|\/\*+|<!--) *(?:-\*-|vim?:|SPDX-|@ts-|eslint|prettier|biome|pylint|noqa|type:|coding[:=]|frozen_string_literal|pragma\b|region\b))/i

/** The start of a comment, in any language. `--` opens one in SQL and Lua, `;` in Lisp and INI, `%` in LaTeX. */
const COMMENT = /^(?:\/\*+|<!--|"""|'''|--(?:\[\[)?(?=\s)|\/\/+[/!]?|[#;%]+(?=\s)|\*(?=\s))\s*/
const COMMENT_END = /(?:\*\/|-->|"""|'''|\]\]|\s--)$/

const HEADING = /^#{1,6}\s+/
const LIST_ITEM = /^(?:[-+•*]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+|>+\s*)+/

/** Elements of a page or of the HTML in a README. Others are data. */
const TAG = /<\/?([a-z][\w:-]*)(?:\s[^<>]*)?\/?>/gi
const TEXT_TAGS: ReadonlySet<string> = new Set(
  'a abbr b big body br center code div em font h1 h2 h3 h4 h5 h6 head header hr html i img link meta p picture section small source span strong sub summary sup details title u'.split(
    ' ',
  ),
)

/** Images say nothing; links, emphasis and code leave their text. Each create looks at a line, and few have any. */
const removeMarkup = (line: string): string =>
  (/[[`*_~]/.test(line) ? removeMarks(line) : line).replaceAll(/\s+/g, ' ').trim()

const removeMarks = (line: string): string =>
  line
    .replaceAll(/!\[[^\]]{0,300}\](?:\([^()]{0,300}\)|\[[^\]]{0,300}\])/g, '')
    .replaceAll(/\[([^[\]]{0,300})\](?:\([^()]{0,300}\)|\[[^[\]]{0,300}\])/g, '$1')
    .replaceAll(/`([^`]{1,300})`/g, '$1')
    .replaceAll(/\*\*([^\s*][^*]{0,300})\*\*/g, '$1')
    .replaceAll(/(?<![\w*])\*([^\s*][^*]{0,300})\*/g, '$1')
    .replaceAll(/(?<!\w)__?([^\s_][^_]{0,300})__?(?!\w)/g, '$1')
    .replaceAll(/(?<!~)(~~?)([^\s~]|[^\s~][^~]{0,300}[^\s~])\1(?!~)/g, '$2')

/** A name of something secret before its value, or an address with a user name: that may be a token or have a password. */
const SECRET =
  /(?:passw(?:or)?d|passphrase|passcode|secret|token|credential|bearer|(?:api|access|secret|private)[_ -]?key)s?["']?\s*(?:[:=]|\bis\b)|(?:pass|pwd|key)["']?\s*=|:\/\/[^\s/?#@]{1,200}@/i
/** "pass" needs more proof: "First pass: collect the names" is an ordinary comment. */
const PASS =
  /(?:^|[^a-z ])(?:pass|pwd)["']?\s*:|(?:pass|pwd)["']?\s*(?::\s*\S{1,64}$|(?::|\bis\b)\s*[a-z]\S{0,64}\d)/i
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
const DISABLED_CODE =
  /[;{}]$|^(?:(?:export|set|setenv|declare|env|ENV|ARG) )?\S+\s?=\s?\S|^\w+\(.*\)$|^(?:[Cc]opyright|[Ll]icen[cs]ed?)\b/

const NO_TITLE: readonly RegExp[] = [LOG, SECRET, PASS, RANDOM, ROW]
const NO_COMMENT: readonly RegExp[] = [...NO_TITLE, DISABLED_CODE]
const NO_SENTENCE: readonly RegExp[] = [...NO_TITLE, ...CODE]

/** One word alone is a title only if it is one of a language. */
const LONE_WORD = /^[^\w]*$|^[\p{L}\p{M}_'’-]+[.!?:…]?$|^\d{1,8}$/u

/** A line above or below a title. */
const RULE = /^([─━═])\1*$/

/** Lines, blocks and Braille: a table, a tree or a picture. */
const DRAWING = /^[\u2500-\u259F\u2800-\u28FF]/

/** Returns undefined for a line that says nothing, since the next one may, and null if what follows is code or data. */
function readLine(raw: string): string | null | undefined {
  const line = raw.replaceAll(CONTROLS, ' ').trim()
  if (line === '' || PREAMBLE.test(line)) return undefined
  if (DRAWING.test(line)) return RULE.test(line) ? undefined : null
  if (/^[^\p{L}\p{N}\p{So}]+$/u.test(line)) return /^[[{(]/.test(line) ? null : undefined
  if (raw.includes('\t') && /\S\t/.test(raw)) return null
  const heading = HEADING.test(line)
  const comment = COMMENT.test(line) && !/^(?:---? [ab]\/|\*\*)/.test(line)
  if (heading || comment) return readComment(line.replace(COMMENT, ''))
  const tags = line.startsWith('<') ? [...line.matchAll(TAG)] : []
  if (tags.some(([, name = '']) => !TEXT_TAGS.has(name.toLowerCase()))) return null
  const text = removeMarkup((tags.length > 0 ? line.replaceAll(TAG, '') : line).replace(LIST_ITEM, ''))
  if (!WORDS.test(text)) return undefined
  if (NO_SENTENCE.some((pattern) => pattern.test(text))) return null
  return text.includes(' ') || LONE_WORD.test(text) ? text : null
}

const WORDS = /[\p{L}\p{N}\p{So}]/u

function readComment(text: string): string | undefined {
  const words = removeMarkup(text.replace(COMMENT_END, '').replaceAll(TAG, '')).replace(/ #+$/, '')
  return WORDS.test(words) && !NO_COMMENT.some((pattern) => pattern.test(words)) ? words : undefined
}

/** Cuts after a word, unless the last word is long. */
function shorten(title: string): string {
  const characters = [...title]
  if (characters.length <= MAX_DERIVED_TITLE_CHARACTERS) return title
  const kept = characters.slice(0, MAX_DERIVED_TITLE_CHARACTERS - 1).join('')
  return `${kept.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`
}

/** The metadata at the start of many Markdown files: YAML, or TOML between `+++`. */
export const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?\n)\1[ \t]*(?:\r?\n|$)/

/** A plain or quoted value, or the first line of an indented one. */
const GIVEN_TITLE =
  /^title[ \t]*[:=][ \t]*(?:[|>][-+\d]*\n[ \t]+)?(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|(.*))/m

function findGivenTitle(metadata: string): string | null {
  const [, double, single, plain = ''] = GIVEN_TITLE.exec(metadata) ?? []
  const title =
    double?.replaceAll(/\\(.)/g, '$1') ?? single?.replaceAll("''", "'") ?? plain.replace(/\s#.*/, '')
  return title.replaceAll(CONTROLS, ' ').trim() || null
}

/** Languages whose texts have no title. */
const DATA: ReadonlySet<string> = new Set(['json', 'jsonl', 'csv', 'tsv', 'log', 'diff', 'http', 'dotenv'])

const getStart = (text: string): string =>
  removeEscapeSequences(text.slice(0, MAX_SEARCHED_UNITS))
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')

/** Returns null where the text starts with code, data, a log or something secret. */
function findTitleLine(text: string): string | null {
  let fenced = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:`{3}|~{3})/.test(line)) fenced = !fenced
    else if (!fenced) {
      const title = readLine(line.slice(0, MAX_LINE_UNITS))
      if (title !== undefined) return title && shorten(title)
    }
  }
  return null
}

/**
 * Returns a heading, a sentence or a comment at the start, without markup and invisible characters, or null if the text
 * starts with code, data, a log or something secret.
 */
export function deriveTitle(text: string, language: string | null = null): string | null {
  const name = language === null ? PLAIN_TEXT : (findLanguage(language)?.name ?? PLAIN_TEXT)
  if (DATA.has(name)) return null
  const start = getStart(text)
  const file = name === TXTAR && readFirstFile(start)?.name
  if (file) return shorten(file.replaceAll(CONTROLS, ' '))
  const [all = '', , metadata = ''] = FRONT_MATTER.exec(start) ?? []
  const given = findGivenTitle(metadata)
  return given ? shorten(given) : findTitleLine(start.slice(all.length))
}

/** `# A title`, or a title above a line of `===` (CommonMark §4.2, §4.3). */
const HEADING_FIRST = /^\s{0,99}(?:#{1,6}[ \t]|\S[^\n]{0,200}\n {0,3}=+[ \t]*(?:\n|$))/

/** The heading that Markdown starts with, as a title. A page that shows it needs no other title. */
export function findFirstHeading(markdown: string): string | null {
  const start = getStart(markdown).replace(FRONT_MATTER, '')
  return HEADING_FIRST.test(start) ? findTitleLine(start) : null
}

/**
 * The title of a text from which none can be derived: its language, unless that is null because nobody knows it, and its
 * length.
 *
 * @example describeText('print(1)\nprint(2)\n', 'python') // 'Python, 2 lines'
 */
export function describeText(stored: string, language: string | null): string {
  const text = toShownLines(stored)
  const lines = countLineBreaks(text) + (text.endsWith('\n') ? 0 : 1)
  const length = formatCount(lines, 'line')
  return language === null ? length : renameText(length, language)
}

/** Returns the title of a text that nobody gave one. */
export const titleText = (text: string, language: string | null): string =>
  deriveTitle(text, language) ?? describeText(text, language)

const LENGTH = /^(?:[^,]+, )?([\d,]+ lines?)$/

/** The name of a document in lists. Many have the same language and length: the id tells them apart. */
export const getDisplayName = ({
  title,
  id,
}: {
  readonly title: string | null
  readonly id: string
}): string => (title === null ? id : LENGTH.test(title) ? `${title} · ${id}` : title)

/** The title of a text whose language has become another. */
export function renameText(title: string, language: string): string {
  const length = LENGTH.exec(title)?.[1]
  return length === undefined ? title : `${findLanguage(language)?.label ?? language}, ${length}`
}

/** The length of the longest file name. Most file systems take 255 bytes. */
const MAX_NAME_BYTES = 200
/** Limits the name of a file that nobody named. */
const MAX_STEM_CHARACTERS = 60

/** Languages whose first line is usually a heading. */
const LANGUAGES_WITH_TITLE: readonly string[] = ['plaintext', 'markdown', 'latex']

/** File names that Windows reserves for devices. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Characters that Windows, macOS or Linux refuse in a name, and those that shells and browsers remove from its ends. */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu

/** Files that are known by a name without an extension. */
const PLAIN_NAMES =
  /^(?:makefile|gnumakefile|dockerfile|containerfile|jenkinsfile|vagrantfile|gemfile|rakefile|procfile|brewfile|justfile|caddyfile|pkgbuild|license|licence|readme|changelog|copying|authors|notice|codeowners|hosts|fstab|crontab|sshd_config|ssh_config)$/i

/** Tells whether a title names a file: it has an extension, is hidden, or is known. "Version 2.0" and "Mr. Smith" aren't. */
const isFileName = (name: string): boolean =>
  PLAIN_NAMES.test(name) ||
  /^[^\s].*\.[a-z0-9]*[a-z][\w+-]{0,11}$/i.test(name) ||
  // What logrotate leaves: `error.log.1`, `syslog.2`
  /^\S*(\.[a-z]\w{0,11}|log)\.\d{1,8}$/i.test(name) ||
  /^\.[a-z][\w.-]+$/i.test(name)

function cutBytes(stem: string, maxBytes: number): string {
  let bytes = 0
  let cut = ''
  for (const character of stem) {
    bytes += new TextEncoder().encode(character).length
    if (bytes > maxBytes) break
    cut += character
  }
  return cut
}

/** Returns a name that every file system accepts; null if the title isn't the name of a file. */
function toFileName(title: string): string | null {
  const last = title.normalize('NFC').trim().split(/[/\\]/).at(-1)?.trim() ?? ''
  if (!isFileName(last)) return null
  const name = last.replaceAll(REFUSED, '-').replace(/[. ]$/, '')
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const cut = cutBytes(stem, MAX_NAME_BYTES - extension.length).toWellFormed() + extension
  return DEVICE_NAME.test(cut) ? `_${cut}` : cut
}

interface Named {
  readonly id: string
  readonly language: string
  readonly title: string | null
  readonly givenTitle: string | null
}

function toStem({ language, title }: Pick<Named, 'language' | 'title'>): string {
  if (title === null || LENGTH.test(title) || !LANGUAGES_WITH_TITLE.includes(language)) return ''
  const stem = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .slice(0, MAX_STEM_CHARACTERS)
    .replaceAll(/^-|-$/g, '')
  return DEVICE_NAME.test(stem) ? '' : stem.toWellFormed()
}

/**
 * The name of a document's file. A title that is the name of a file is used as it is.
 *
 * @example getFileName({ id: 'Y5gz7PTg', language: 'python', title: 'main.py', givenTitle: 'main.py' }) // 'main.py'
 */
export function getFileName(document: Named): string {
  const named = document.givenTitle === null ? null : toFileName(document.givenTitle)
  return named ?? `${toStem(document) || document.id}.${getFileExtension(document.language)}`
}

/** Writes the parameters of `Content-Disposition` (RFC 6266, RFC 8187). */
export function formatFileName(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7E]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === name ? `filename="${name}"` : `filename="${ascii}"; filename*=UTF-8''${encoded}`
}

import type { Sample } from './sample.ts'

const COMMENT = /^\s*[#;]/

const ratio = (lines: readonly string[], pattern: RegExp): number =>
  lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length

const SECTION = /^\s*\[\[?["\w][^\]]*\]\]?\s*([#;].*)?$|^\[\*.*\]$/
const SETTING = /^\s*[\w.*@/"'-][\w.*@/ "':-]{0,80}?\s*=/
const TOML_SETTING = /^\s*["\w.-]+ *= *("|'|\[|\{|[+-]?\d|true\b|false\b)/
/** Inside an array or string of several lines. */
const TOML_CONTINUATION = /^\s*(["'[\]{}].*|[+-]?\d[\d., ]*)$/

function detectSettings(lines: readonly string[]): string | null {
  const sections = lines.filter((line) => SECTION.test(line)).length
  const rest = lines.filter((line) => !SECTION.test(line))
  const settings = rest.filter((line) => SETTING.test(line))
  if (settings.length === 0) return null
  if (ratio(settings, TOML_SETTING) === 1) {
    const known = rest.filter((line) => TOML_SETTING.test(line) || TOML_CONTINUATION.test(line)).length
    const typed = settings.some((line) => /= *("|\[|\{|true\b|false\b)/.test(line))
    if (known === rest.length && typed && (sections > 0 || settings.length >= 3)) return 'toml'
  }
  if (/^\s*\[/.test(lines[0] ?? '') && !SECTION.test(lines[0] ?? '')) return null
  if (sections > 0 && settings.length >= 0.7 * rest.length) return 'ini'
  return null
}

function detectVariables(lines: readonly string[]): string | null {
  if (lines.length < 2) return null
  if (ratio(lines, /^(export )?[A-Z_][A-Z0-9_]*=("[^"]*"|'[^']*'|[^\s"'$`()]\S*|)( +#.*)?$/) === 1)
    return 'dotenv'
  if (ratio(lines, /^[a-z][\w-]*(\.[\w[\]-]+)+ ?[=:] ?\S?/) >= 0.9) return 'ini'
  const settings = ratio(lines, /^[\w.-]+ ?= ?[^;{(]*$/)
  if (settings === 1 && lines.some((line) => /^([\w-]+\.[\w.-]+|[a-z]+[A-Z]\w*)=/.test(line))) return 'ini'
  return null
}

const YAML_KEY = /^\s*(- +)*(["']?[\w./$<>{}() -]{1,60}(?:::\w+)*["']?|\?) *:( |$)/
const YAML_ITEM = /^\s*- +\S|^\s*-$/

/** Lines of YAML: keys, items, and lines deeper than the key they continue. */
function isYaml(sample: Sample): boolean {
  const lines = sample.lines.filter((line) => !COMMENT.test(line))
  let keys = 0
  let others = 0
  let spacedKeys = 0
  let blockIndent = -1
  let previousIndent = 0
  const topLevel: string[] = []
  for (const line of lines) {
    if (/^(---|\.\.\.|%YAML)/.test(line)) continue
    // YAML forbids tabs in indentation.
    if (line.startsWith('\t')) return false
    const indent = line.length - line.trimStart().length
    if (blockIndent >= 0 && indent > blockIndent) continue
    blockIndent = -1
    const key = YAML_KEY.exec(line)
    if (key) {
      keys++
      if (/\w \w.*:/.test(key[0])) spacedKeys++
      if (indent === 0 && !line.startsWith('-')) topLevel.push(key[0])
      if (/[|>][+-]?\d?$/.test(line) || /: +["'{[]/.test(line)) blockIndent = indent
    } else if (!YAML_ITEM.test(line) && !(indent > previousIndent)) others++
    if (/[;{(]$|[^:]\/\/ |^\s*[{}]/.test(line)) others++
    previousIndent = indent
  }
  if (keys < 2 || others > 0.05 * lines.length || spacedKeys > 0.3 * keys) return false
  // A chat has the same speakers again and again, and an email or letter has capitalized headings.
  if (new Set(topLevel).size !== topLevel.length) return false
  if (sample.lines[0]?.startsWith('---')) return true
  const nested = lines.some((line) => /^\s+(- )?\S/.test(line) || YAML_ITEM.test(line))
  const flat = topLevel.length >= 3 && topLevel.every((key) => /^["']?[a-z_][\w./-]*["']? *:/.test(key))
  const wordy = ratio(lines, /: [\p{L}][\p{L}'’,-]* [\p{L}'’,-]+ [\p{L}'’,-]+ [\p{L}'’,-]+ /u)
  return nested ? topLevel.length > 0 || keys >= 3 : flat && wordy < 0.3
}

const LIST_ITEM = /^\s*[-*+] [^:]*$/

/** Returns the format of a configuration file or list; null for any other text. */
export function detectConfiguration(sample: Sample): string | null {
  const lines = sample.lines.filter((line) => !COMMENT.test(line))
  if (lines.length >= 2 && ratio(lines, LIST_ITEM) === 1) return 'markdown'
  return detectSettings(lines) ?? detectVariables(lines) ?? (isYaml(sample) ? 'yaml' : null)
}

import { FRONT_MATTER } from '../../../shared/derive-title.ts'
import { escapeText } from './create-parser.ts'

/** UTF-16 units of metadata that are read, and values in the table. More is shown as code. */
const MAX_METADATA = 32 * 1024
const MAX_VALUES = 200
const MAX_DEPTH = 4

class TooMuchError extends Error {}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Aliases can make a short text into a huge value, so the values are counted. */
function renderTable(metadata: Readonly<Record<string, unknown>>): string {
  let values = 0
  const renderValue = (value: unknown, depth: number): string => {
    values += 1
    if (values > MAX_VALUES || depth > MAX_DEPTH) throw new TooMuchError()
    if (Array.isArray(value)) {
      const items = value.map((item) => renderValue(item, depth + 1))
      return items.join(value.some((item) => typeof item === 'object') ? '' : ', ')
    }
    if (isMapping(value)) return renderRows(value, depth + 1)
    return escapeText(value instanceof Date ? value.toISOString() : String(value ?? '').trim())
  }
  const renderRows = (mapping: Readonly<Record<string, unknown>>, depth: number): string => {
    const rows = Object.entries(mapping).map(
      ([key, value]) =>
        `<tr><th scope="row">${escapeText(key)}</th><td>${renderValue(value, depth)}</td></tr>`,
    )
    return `<table class="md-metadata"><tbody>${rows.join('')}</tbody></table>`
  }
  return renderRows(metadata, 0)
}

async function parse(marker: string, metadata: string): Promise<unknown> {
  if (marker === '+++') return (await import('smol-toml')).parse(metadata)
  const { FAILSAFE_SCHEMA, load } = await import('js-yaml')
  // All values are strings, as the author wrote them: 1.10 stays 1.10.
  return load(metadata, { schema: FAILSAFE_SCHEMA })
}

/** A fence that the metadata can't end. */
const FENCE = '`'.repeat(40)

/** Tells metadata, which has a key, from a rule, some text and another rule. */
const hasKey = (metadata: string): boolean => /^[\w"'-]+[ \t]*[:=]/m.test(metadata)

/**
 * The line breaks must be `\n`. The libraries are loaded only for a text that has metadata. Returns a table, which is null
 * if there is no metadata or it isn't readable, and the Markdown in the same lines, in which such metadata is code.
 *
 * @param fits returns false for a table that is too long for a page: a short text can repeat a long value.
 */
export async function readFrontMatter(text: string, fits: (table: string) => boolean) {
  const [all = '', marker = '', metadata = ''] = FRONT_MATTER.exec(text) ?? []
  if (all === '') return { table: null, markdown: text }
  const rest = text.slice(all.length)
  const asCode = `${FENCE}${marker === '+++' ? 'toml' : 'yaml'}\n${metadata}${FENCE}\n${rest}`
  const unread = { table: null, markdown: hasKey(metadata) ? asCode : text }
  if (metadata.length > MAX_METADATA) return unread
  try {
    const value = await parse(marker, metadata)
    if (!isMapping(value)) return { table: null, markdown: text }
    const table = `${renderTable(value)}\n`
    return fits(table) ? { table, markdown: '\n'.repeat(all.split('\n').length - 1) + rest } : unread
  } catch {
    return unread
  }
}

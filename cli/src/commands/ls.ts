import { NEVER } from '../../../src/shared/expiry.ts'
import { formatAge, formatSize } from '../../../src/shared/format.ts'
import type { Instant } from '../../../src/shared/instant.ts'
import { RegentError } from '../client/errors.ts'
import type { ListedDocument } from '../client/types.ts'
import { describeRefusal } from '../describe-error.ts'
import { CliError } from '../exit-codes.ts'
import { type CommandContext, openSession, type Session } from '../session.ts'
import { listRememberedDocuments, type RememberedDocument } from '../storage/remembered-documents.ts'
import { toSafeLine } from '../terminal/output.ts'

interface Entry {
  readonly id: string
  readonly link: string
  readonly title: string | null
  readonly size: number
  /** ISO 8601. */
  readonly created: string
  readonly expires: string
  /** Whether an account created it, or this machine did without one. */
  readonly created_by: 'account' | 'machine'
}

const DEFAULT_LIMIT = 20
const MAX_PAGE_SIZE = 100

const fromAccount = ({ id, links, title, size, timestamps }: ListedDocument): Entry => ({
  id,
  link: links.formatted,
  title,
  size,
  created: timestamps.creation,
  expires: timestamps.expiration,
  created_by: 'account',
})

const fromMachine = ({ server, id, title, size, createdAt, expiresAt }: RememberedDocument): Entry => ({
  id,
  link: `${server}/${id}`,
  title,
  size,
  created: new Date(createdAt).toISOString(),
  expires: new Date(expiresAt).toISOString(),
  created_by: 'machine',
})

function parseLimit(typed: string | undefined): number {
  const limit = Number(typed ?? DEFAULT_LIMIT)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new CliError('usage', '--limit needs a whole number above 0')
}

async function listOwn(context: CommandContext, session: Session, limit: number): Promise<ListedDocument[]> {
  const { terminal, values } = context
  const found: ListedDocument[] = []
  let cursor: string | null = null
  try {
    do {
      const query = { limit: Math.min(limit - found.length, MAX_PAGE_SIZE), search: values.search }
      const page = await session.client.listDocuments(
        { ...query, ...(cursor !== null && { cursor }) },
        { signal: terminal.signal },
      )
      found.push(...page.documents)
      cursor = page.cursor
    } while (cursor !== null && found.length < limit)
  } catch (error) {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  }
  return found
}

const matches = ({ title }: Entry, search: string | undefined): boolean =>
  search === undefined || (title ?? '').toLowerCase().includes(search.toLowerCase())

const formatExpiry = (expires: string, now: Instant): string => {
  const at = Date.parse(expires)
  return at === NEVER ? 'never' : formatAge(at, now)
}

/** For people: aligned columns with a heading. */
function formatTable(entries: readonly Entry[], now: Instant): string {
  const rows = [
    ['ID', 'EXPIRES', 'SIZE', 'TITLE'],
    ...entries.map(({ id, expires, size, title }) => [
      id,
      formatExpiry(expires, now),
      formatSize(size),
      toSafeLine(title ?? '—'),
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** For programs: fields separated by tabs, and no heading. */
const formatFields = (entries: readonly Entry[]): string =>
  entries
    .map(({ id, expires, size, title, link }) =>
      [id, expires, size, link, toSafeLine(title ?? '')].join('\t'),
    )
    .join('\n')

/** Lists the documents that were created on this machine without an account, and those of the account. */
export async function ls(context: CommandContext): Promise<void> {
  const { output, terminal, values } = context
  const limit = parseLimit(values.limit)
  const session = await openSession(context)
  const remembered = await listRememberedDocuments(terminal, session.server, terminal.now())
  const own = session.key === null ? [] : await listOwn(context, session, limit)
  const entries = [
    ...remembered.map(fromMachine).filter((entry) => matches(entry, values.search)),
    ...own.map(fromAccount),
  ]
    .sort((one, other) => (one.created < other.created ? 1 : -1))
    .slice(0, limit)
  if (values.json) return output.print(`${JSON.stringify(entries)}\n`)
  if (entries.length === 0) return output.note('No documents.')
  const text = terminal.stdout.isTTY ? formatTable(entries, terminal.now()) : formatFields(entries)
  await output.print(`${text}\n`)
}

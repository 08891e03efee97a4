import { basename, dirname } from 'node:path'
import { NEVER } from '../../../src/shared/expiry.ts'
import { formatAge, formatSize } from '../../../src/shared/format.ts'
import type { Instant } from '../../../src/shared/instant.ts'
import { deriveClaimToken, parseJwe, parseJweHeader } from '../../../src/shared/jwe.ts'
import type { TextFile } from '../../../src/shared/txtar.ts'
import type { RegentClient } from '../client/client.ts'
import { RegentError } from '../client/errors.ts'
import { decryptContent, decryptDocument, type ReadText, readText } from '../client/read-text.ts'
import type { ListedDocument, ListedRevision } from '../client/types.ts'
import { CliError, type Ending } from '../exit-codes.ts'
import { findFiles, isFolder, requireFile, writeFiles } from '../files.ts'
import {
  type CommandContext,
  createPasswordSource,
  describeRefusal,
  getLink,
  openSession,
  parseTarget,
  type Session,
  type Target,
  toCliError,
} from '../session.ts'
import {
  findRememberedDocument,
  forgetDocument,
  listRememberedDocuments,
  type RememberedDocument,
} from '../storage.ts'
import { ReaderGone, toSafeLine } from '../terminal.ts'
import { getFileName, keepUnsavedText } from './edit.ts'

interface Delivery extends ReadText {
  readonly file: TextFile | null
}

async function writeOutput(
  { output, values }: CommandContext,
  path: string,
  { text, document, file, ...read }: Delivery,
): Promise<void> {
  const several = file === null ? findFiles({ text, document, ...read }) : null
  const one = file ?? { name: getFileName(document), content: text }
  const inFolder = several !== null || /[\\/]$/.test(path) || (await isFolder(path))
  const { force } = values
  const written = inFolder
    ? await writeFiles(path, several ?? [one], { force })
    : await writeFiles(dirname(path), [{ ...one, name: basename(path) }], { force })
  for (const name of written) output.note(`Wrote ${toSafeLine(name)}.`)
}

async function deliver(context: CommandContext, read: ReadText, name: string | null): Promise<void> {
  const { output, terminal, values } = context
  const { text, document } = read
  try {
    const file = name === null ? null : requireFile(findFiles(read), name)
    const content = file?.content ?? text
    if (values.output !== undefined) await writeOutput(context, values.output, { ...read, file })
    if (values.json) await output.print(`${JSON.stringify({ ...document, content })}\n`)
    else if (values.output === undefined) await output.print(content)
  } catch (error) {
    const known =
      error instanceof ReaderGone ? new CliError('failure', 'Only a part of the text was printed') : error
    if (!document.settings.instant_delete || !(known instanceof CliError)) throw error
    // Nobody can read it again.
    const path = await keepUnsavedText(terminal, getFileName(document), text).catch(() => null)
    if (path !== null) throw new CliError(known.ending, `${known.message}. The text is in ${path}`)
    if (values.output === undefined) throw known
    await output.print(text)
    throw new CliError(known.ending, `${known.message}. So the text was printed`)
  }
}

/** Prints the text of a document or of one of its files, byte for byte, or writes it. */
export async function get(context: CommandContext): Promise<void> {
  const { operands, output, terminal } = context
  const target = parseTarget(operands[0] ?? '')
  const session = await openSession(context, target.server)
  const { client, server, key } = session
  const remembered = await findRememberedDocument(terminal, server, target.id)
  const read = await readText(client, target.id, {
    token: remembered?.token,
    signal: terminal.signal,
    getPassword: createPasswordSource(context, target.password),
  }).catch((error) => {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  })
  await deliver(context, read, target.file)
  if (!read.document.settings.instant_delete) return
  // Its other files are kept if nobody knows.
  const stillExists = () => exists(client, target.id, context).catch(() => false)
  const isOwn = remembered !== null || (key !== null && (await stillExists()))
  if (isOwn) {
    output.note(
      'The document stays until somebody else reads it: it burns after reading, and you created it.',
    )
    return
  }
  output.note('The document has been deleted: it burns after reading.')
  if (target.file === null || findFiles(read)?.length === 1) return
  const path = await keepUnsavedText(terminal, getFileName(read.document), read.text)
  output.note(`All of its files are in ${path}.`)
}

/** Counts no view and burns nothing. */
async function exists(client: RegentClient, id: string, { terminal }: CommandContext): Promise<boolean> {
  try {
    await client.checkDocument(id, { signal: terminal.signal })
    return true
  } catch (error) {
    if (error instanceof RegentError && error.code === 'not_found') return false
    throw error
  }
}

async function remove({ terminal }: CommandContext, session: Session, { id }: Target): Promise<void> {
  const { client, server, key } = session
  const remembered = await findRememberedDocument(terminal, server, id)
  try {
    // Without a key, a server says only that one is needed.
    if (key === null && remembered === null) await client.checkDocument(id, { signal: terminal.signal })
    await client.deleteDocument(id, { token: remembered?.token, signal: terminal.signal })
  } catch (error) {
    if (!(error instanceof RegentError)) throw error
    // An answer without a request id comes from a proxy that can't reach Regent.
    if (error.code === 'not_found' && error.requestId !== null) await forgetDocument(terminal, server, id)
    throw describeRefusal(error, session)
  }
  await forgetDocument(terminal, server, id)
}

/** Parses the address of a whole document. @throws CliError `usage` if it names one of its files. */
function parseWhole(typed: string, problem: string): Target {
  const target = parseTarget(typed)
  if (target.file === null) return target
  throw new CliError('usage', `${problem}. Leave out the name of the file, ${toSafeLine(target.file)}`)
}

/** Deletes documents. Goes on after one that can't be deleted, and fails in the end. */
export async function rm(context: CommandContext): Promise<void> {
  const { operands, output, values } = context
  // All are parsed before the first is deleted.
  const targets = operands.map((typed) =>
    parseWhole(typed, 'Only a whole document can be deleted, and "regent edit" takes out files'),
  )
  const endings: Ending[] = []
  for (const target of targets) {
    const session = await openSession(context, target.server)
    try {
      await remove(context, session, target)
      if (values.json) await output.print(`${JSON.stringify({ id: target.id, deleted: true })}\n`)
      else output.note(`Deleted ${target.id}.`)
    } catch (error) {
      const known = toCliError(error)
      if (!known || known.ending === 'interrupted' || targets.length === 1) throw error
      output.error(`${target.id}: ${known.message}.`)
      endings.push(known.ending)
    }
  }
  const [ending] = endings
  if (ending === undefined) return
  throw new CliError(ending, `${endings.length} of ${targets.length} documents couldn’t be deleted`)
}

interface Entry {
  readonly id: string
  readonly link: string
  readonly title: string | null
  readonly size: number
  /** ISO 8601. */
  readonly created: string
  readonly expires: string
  /** Tells whether an account created it, or this machine did without one. */
  readonly created_by: 'account' | 'machine'
}

const DEFAULT_LIMIT = 20
const MAX_PAGE_SIZE = 100

const fromAccount = (document: ListedDocument): Entry => ({
  id: document.id,
  link: getLink(document),
  title: document.title,
  size: document.size,
  created: document.timestamps.creation,
  expires: document.timestamps.expiration,
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

/** People get aligned columns with a heading. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const formatEntries = (entries: readonly Entry[], now: Instant): string =>
  formatTable([
    ['LINK', 'EXPIRES', 'SIZE', 'TITLE'],
    ...entries.map(({ link, expires, size, title }) => [
      link,
      formatExpiry(expires, now),
      formatSize(size),
      toSafeLine(title ?? '—'),
    ]),
  ])

/** Programs get fields separated by tabs, and no heading. */
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
  const text = terminal.stdout.isTTY ? formatEntries(entries, terminal.now()) : formatFields(entries)
  await output.print(`${text}\n`)
}

function parseNumber(typed: string): number {
  const number = Number(typed)
  if (Number.isInteger(number) && number >= 1) return number
  throw new CliError('usage', 'The number of a version is a whole number above 0')
}

async function openDocument(context: CommandContext) {
  const { operands, terminal } = context
  const [address = '', typed] = operands
  const number = typed === undefined ? null : parseNumber(typed)
  const target = parseWhole(address, 'A version is one of the whole document')
  const session = await openSession(context, target.server)
  const remembered = await findRememberedDocument(terminal, session.server, target.id)
  const options = { token: remembered?.token, signal: terminal.signal }
  const refuse = (error: unknown) => {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  }
  return { client: session.client, target, number, options, refuse }
}

/** One line for each version: number, time, bytes, author, and whether it's the current one. */
const formatRevisionFields = (revisions: readonly ListedRevision[]): string =>
  revisions
    .map(({ number, created_at, size, author, current }) =>
      [number, created_at, size, toSafeLine(author ?? ''), current ? 'current' : ''].join('\t'),
    )
    .join('\n')

const formatRevisions = (revisions: readonly ListedRevision[], now: Instant): string =>
  formatTable([
    ['VERSION', 'SAVED', 'SIZE', 'AUTHOR', ''],
    ...revisions.map(({ number, created_at, size, author, current }) => [
      String(number),
      formatAge(Date.parse(created_at), now),
      formatSize(size),
      toSafeLine(author ?? '—'),
      current ? 'current' : '',
    ]),
  ])

const isJwe = (content: string): boolean => {
  try {
    parseJweHeader(content.split('.', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** Lists the versions of a document, or prints the text of one, byte for byte. */
export async function history(context: CommandContext): Promise<void> {
  const { output, terminal, values } = context
  const { client, target, number, options, refuse } = await openDocument(context)
  if (number === null) {
    const revisions = await client.listRevisions(target.id, options).catch(refuse)
    if (values.json) return output.print(`${JSON.stringify(revisions)}\n`)
    const text = terminal.stdout.isTTY
      ? formatRevisions(revisions, terminal.now())
      : formatRevisionFields(revisions)
    return output.print(`${text}\n`)
  }
  const revision = await client.readRevision(target.id, number, options).catch(refuse)
  const content = isJwe(revision.content)
    ? await decryptContent(revision.content, { getPassword: createPasswordSource(context, target.password) })
    : revision.content
  await output.print(values.json ? `${JSON.stringify({ ...revision, content })}\n` : content)
}

/** Restores a version. The password of an encrypted document, which an editor proves, stays on this machine. */
export async function restore(context: CommandContext): Promise<void> {
  const { output, values } = context
  const { client, target, number, options, refuse } = await openDocument(context)
  const request = (claimToken?: string) =>
    client.restoreRevision(target.id, number ?? 0, { ...options, claimToken })
  const prove = async (error: unknown) => {
    if (!(error instanceof RegentError) || error.code !== 'bad_auth') throw error
    // An edit that changes nothing.
    const { document } = await client.editDocument({ id: target.id }, options)
    const getPassword = createPasswordSource(context, target.password)
    const { password } = await decryptDocument(document, { getPassword })
    if (password === null) throw error
    return request(await deriveClaimToken(password, parseJwe(document.content).header))
  }
  const { document } = await request().catch(prove).catch(refuse)
  if (values.json) await output.print(`${JSON.stringify(document)}\n`)
  else output.note(`Restored version ${number} of ${target.id}.`)
}

import { parseJweHeader } from '../../../src/shared/jwe.ts'
import { RegentError } from '../client/errors.ts'
import { decryptContent } from '../client/read-text.ts'
import type { ListedRevision } from '../client/types.ts'
import { describeRefusal } from '../describe-error.ts'
import { CliError } from '../exit-codes.ts'
import { createPasswordSource } from '../passwords.ts'
import { type CommandContext, openSession } from '../session.ts'
import { findRememberedDocument } from '../storage/remembered-documents.ts'
import { parseTarget } from '../targets.ts'
import { toSafeLine } from '../terminal/output.ts'

function parseNumber(typed: string): number {
  const number = Number(typed)
  if (Number.isInteger(number) && number >= 1) return number
  throw new CliError('usage', 'The number of a version is a whole number above 0')
}

async function openDocument(context: CommandContext) {
  const { operands, terminal } = context
  const [address = '', typed] = operands
  const number = typed === undefined ? null : parseNumber(typed)
  const target = parseTarget(address)
  const session = await openSession(context, target.server)
  const remembered = await findRememberedDocument(terminal, session.server, target.id)
  const options = { token: remembered?.token, signal: terminal.signal }
  const refuse = (error: unknown) => {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  }
  return { client: session.client, target, number, options, refuse }
}

/** One line for each version: number, time, bytes, author, and whether it's the current one. */
const formatFields = (revisions: readonly ListedRevision[]): string =>
  revisions
    .map(({ number, created_at, size, author, current }) =>
      [number, created_at, size, toSafeLine(author ?? ''), current ? 'current' : ''].join('\t'),
    )
    .join('\n')

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
  const { output, values } = context
  const { client, target, number, options, refuse } = await openDocument(context)
  if (number === null) {
    const revisions = await client.listRevisions(target.id, options).catch(refuse)
    return output.print(`${values.json ? JSON.stringify(revisions) : formatFields(revisions)}\n`)
  }
  const revision = await client.readRevision(target.id, number, options).catch(refuse)
  const content = isJwe(revision.content)
    ? await decryptContent(revision.content, { getPassword: createPasswordSource(context, target.password) })
    : revision.content
  await output.print(values.json ? `${JSON.stringify({ ...revision, content })}\n` : content)
}

export async function restore(context: CommandContext): Promise<void> {
  const { output, terminal, values } = context
  const { client, target, number, options, refuse } = await openDocument(context)
  const password = target.password ?? (terminal.env.REGENT_PASSWORD || undefined)
  const { document } = await client
    .restoreRevision(target.id, number ?? 0, { ...options, password })
    .catch(refuse)
  if (values.json) await output.print(`${JSON.stringify(document)}\n`)
  else output.note(`Restored version ${number} of ${target.id}.`)
}

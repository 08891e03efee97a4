import { RegentError } from '../client/errors.ts'
import { describeRefusal, toCliError } from '../describe-error.ts'
import { CliError, type Ending } from '../exit-codes.ts'
import { type CommandContext, openSession, type Session } from '../session.ts'
import { findRememberedDocument, forgetDocument } from '../storage/remembered-documents.ts'
import { parseTarget, type Target } from '../targets.ts'

async function remove({ terminal }: CommandContext, session: Session, { id }: Target): Promise<void> {
  const { client, server } = session
  const remembered = await findRememberedDocument(terminal, server, id)
  try {
    await client.deleteDocument(id, { token: remembered?.token, signal: terminal.signal })
  } catch (error) {
    if (!(error instanceof RegentError)) throw error
    if (error.code === 'not_found') await forgetDocument(terminal, server, id)
    throw describeRefusal(error, session)
  }
  await forgetDocument(terminal, server, id)
}

/** Deletes documents. Goes on after one that can't be deleted, and fails in the end. */
export async function rm(context: CommandContext): Promise<void> {
  const { operands, output, values } = context
  // All are parsed before the first is deleted.
  const targets = operands.map(parseTarget)
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

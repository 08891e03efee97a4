import { readText } from '../client/read-text.ts'
import { createPasswordSource } from '../passwords.ts'
import { type CommandContext, openSession } from '../session.ts'
import { findRememberedDocument } from '../storage/remembered-documents.ts'
import { parseTarget } from '../targets.ts'

/** Prints the text of a document, byte for byte. */
export async function get(context: CommandContext): Promise<void> {
  const { operands, output, terminal, values } = context
  const target = parseTarget(operands[0] ?? '')
  const { client, server, key } = await openSession(context, target.server)
  const remembered = await findRememberedDocument(terminal, server, target.id)
  const { text, document } = await readText(client, target.id, {
    token: remembered?.token,
    signal: terminal.signal,
    getPassword: createPasswordSource(context, target.password),
  })
  await output.print(values.json ? `${JSON.stringify({ ...document, content: text })}\n` : text)
  if (!document.settings.instant_delete || remembered !== null) return
  output.note(
    key === null
      ? 'The document has been deleted: it burns after reading.'
      : 'The document burns after reading. If it isn’t yours, it has been deleted.',
  )
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deriveClaimToken, encryptText, parseJwe } from '../../../src/shared/jwe.ts'
import { findLanguage } from '../../../src/shared/languages.ts'
import { buildPasswordLink } from '../../../src/shared/password-link.ts'
import type { VersionedDocument } from '../client/client.ts'
import { RegentError } from '../client/errors.ts'
import { decryptDocument, type ReadText } from '../client/read-text.ts'
import type { Document, EditRequest } from '../client/types.ts'
import { CliError, Interrupted } from '../exit-codes.ts'
import {
  type CommandContext,
  createPasswordSource,
  describeRefusal,
  openSession,
  parseTarget,
  type Session,
  toCliError,
} from '../session.ts'
import { findRememberedDocument, getStateFolder, type Surroundings, writePrivateFile } from '../storage.ts'
import {
  decodeInput,
  getEditor,
  readInput,
  readPipedText,
  runEditor,
  STDIN,
  type Terminal,
} from '../terminal.ts'
import { showUploadProgress } from '../upload.ts'

interface Draft extends AsyncDisposable {
  readonly fileName: string
  /**
   * @returns the text after the editor has ended; null if the user emptied the file.
   * @throws CliError if the editor fails, or leaves something that isn't text.
   */
  readonly edit: (terminal: Terminal) => Promise<string | null>
}

function getFileName({ id, settings }: Document): string {
  const { title = '', language } = settings
  if (/^\w[\w.-]{0,80}$/.test(title)) return title
  const [extension = 'txt'] = findLanguage(language)?.extensions ?? []
  return `${id}.${extension}`
}

/** Only the user can read the file. It's deleted when the draft is disposed of. */
async function openDraft(document: Document, text: string): Promise<Draft> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const fileName = getFileName(document)
  const path = join(folder, fileName)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    fileName,
    edit: async (terminal) => {
      const problem = await runEditor(terminal, path)
      if (problem !== null) throw new CliError('failure', `${problem}. Nothing was saved`)
      const bytes = await readFile(path)
      return bytes.byteLength === 0 ? null : decodeInput(bytes, 'The file').text
    },
    [Symbol.asyncDispose]: remove,
  }
}

async function keepUnsavedText(terminal: Terminal, name: string, text: string): Promise<string> {
  const time = new Date(terminal.now()).toISOString().replaceAll(/[:.]/g, '-')
  const path = join(getUnsavedFolder(terminal), `${time}-${name}`)
  await writePrivateFile(path, text)
  return path
}

const getUnsavedFolder = (surroundings: Surroundings): string => join(getStateFolder(surroundings), 'unsaved')

/** Matches no version. Documents that burn after reading show their entity tag only in the answer to this. */
const NO_VERSION = '"none"'

interface Editing {
  readonly context: CommandContext
  readonly session: Session
  readonly id: string
  /** The document token; undefined if the document wasn't created here. */
  readonly token: string | undefined
}

async function findHiddenEtag({ context, session, id, token }: Editing): Promise<string | null> {
  const { signal } = context.terminal
  try {
    return (await session.client.editDocument({ id }, { token, signal, ifMatch: NO_VERSION })).etag
  } catch (error) {
    if (error instanceof RegentError && error.code === 'precondition_failed') return error.etag
    throw error
  }
}

/**
 * Returns the document to edit, by an edit that changes nothing. Unlike a read, it counts no view, and it burns nothing
 * even if the document turns out to be somebody else's.
 */
async function fetchToEdit(editing: Editing): Promise<VersionedDocument> {
  const { context, session, id, token } = editing
  const { signal } = context.terminal
  const { client } = session
  const found = await client.editDocument({ id }, { token, signal })
  if (found.etag !== null) return found
  const etag = await findHiddenEtag(editing)
  // Reads again, so that the text and the version belong together.
  const { document } = await client.editDocument({ id }, { token, signal, ifMatch: etag })
  return { document, etag }
}

async function toRequest({ id }: Editing, opened: ReadText, text: string): Promise<EditRequest> {
  const { document, password } = opened
  if (password === null) return { id, content: text }
  const { jwe, claimHash } = await encryptText({
    text,
    password,
    generated: { asIn: document.content },
  })
  const claimToken = await deriveClaimToken(password, parseJwe(document.content).header)
  const settings = { client_encrypted: true, claim_hash: claimHash }
  return { id, content: jwe, claim_token: claimToken, settings }
}

async function save(editing: Editing, request: EditRequest, etag: string | null): Promise<VersionedDocument> {
  const { context, session, token } = editing
  const { terminal, values } = context
  const progress = showUploadProgress(terminal, { quiet: values.quiet ?? false })
  try {
    const options = { token, ifMatch: etag, signal: terminal.signal, onUploadProgress: progress.update }
    return await session.client.editDocument(request, options)
  } finally {
    progress.end()
  }
}

async function keepText(
  { context, id }: Editing,
  text: string,
  fileName: string,
  error: unknown,
): Promise<never> {
  const { output, terminal } = context
  const path = await keepUnsavedText(terminal, `${id}-${fileName}`, text)
  const known = error instanceof Interrupted ? new CliError('interrupted', 'Interrupted') : toCliError(error)
  if (!known) {
    output.error(`Your text is in ${path}.`)
    throw error
  }
  const reason =
    known.ending === 'conflict' ? 'Someone else has changed the document since you opened it' : known.message
  throw new CliError(known.ending, `${reason}. Nothing was saved. Your text is in ${path}`)
}

/** @param sent the new text; null opens the editor. */
async function openAndEdit(
  editing: Editing,
  getPassword: (attempt: number) => Promise<string | null>,
  sent: string | null,
) {
  const { context, session } = editing
  const { output, values, terminal } = context
  const { document, etag } = await fetchToEdit(editing)
  const opened = await decryptDocument(document, { getPassword })
  await using draft = sent === null ? await openDraft(document, opened.text) : null
  if (draft && terminal.stderr.isTTY) output.note(`Opening ${draft.fileName} in ${getEditor(terminal)}…`)
  const text = draft ? await draft.edit(terminal) : sent
  // Some editors end every file with a line break.
  const unchanged = text === null || text === opened.text || (draft && text === `${opened.text}\n`)
  let saved: VersionedDocument = { document, etag }
  if (unchanged) output.note('Nothing changed.')
  else {
    try {
      saved = await save(editing, await toRequest(editing, opened, text), etag)
    } catch (error) {
      const refusal = error instanceof RegentError ? describeRefusal(error, session) : error
      // Without await, it could reject while the draft is being deleted, which would end the program.
      return await keepText(editing, text, getFileName(document), refusal)
    }
    output.note(`Saved ${editing.id}.`)
  }
  const { content: _, ...info } = saved.document
  const { formatted } = info.links
  const link = opened.password === null ? formatted : buildPasswordLink(formatted, opened.password)
  await output.print(values.json ? `${JSON.stringify({ link, ...info })}\n` : `${link}\n`)
}

async function editTarget(context: CommandContext, sent: string | null): Promise<void> {
  const target = parseTarget(context.operands[0] ?? '')
  const session = await openSession(context, target.server)
  const { id } = target
  const remembered = await findRememberedDocument(context.terminal, session.server, id)
  if (session.key === null && !remembered) {
    await session.client.checkDocument(id, { signal: context.terminal.signal })
    const message = `You can edit only documents that you created on this machine or with your account. Sign in with "regent login"`
    throw new CliError('refused', message)
  }
  const editing = { context, session, id, token: remembered?.token }
  const getPassword = createPasswordSource(context, target.password)
  try {
    await openAndEdit(editing, getPassword, sent)
  } catch (error) {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  }
}

const readsPassword = ({ values }: CommandContext): boolean => values['password-file'] === STDIN

export async function edit(context: CommandContext): Promise<void> {
  await editTarget(context, readsPassword(context) ? null : await readPipedText(context.terminal))
}

export async function update(context: CommandContext): Promise<void> {
  const [, path = STDIN] = context.operands
  if (path === STDIN && readsPassword(context))
    throw new CliError('usage', 'Standard input can’t be both the text and the password')
  await editTarget(context, (await readInput(path, context.terminal)).text)
}

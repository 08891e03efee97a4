import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deriveClaimToken, encryptText, parseJwe } from '../../../src/shared/jwe.ts'
import { AUTO, findLanguage, TXTAR } from '../../../src/shared/languages.ts'
import { buildPasswordLink } from '../../../src/shared/password-link.ts'
import { resolveLanguage } from '../../../src/shared/resolve-language.ts'
import { formatArchive, parseArchive, type TextFile } from '../../../src/shared/txtar.ts'
import type { VersionedDocument } from '../client/client.ts'
import { RegentError } from '../client/errors.ts'
import { decryptDocument, type ReadText } from '../client/read-text.ts'
import type { Document, EditRequest } from '../client/types.ts'
import { CliError, Interrupted } from '../exit-codes.ts'
import { findFiles, isFolder, readFiles, requireFile, writeFiles } from '../files.ts'
import { scanInputs } from '../scan.ts'
import {
  ASK_TO_SIGN_IN,
  type CommandContext,
  createPasswordSource,
  describeRefusal,
  getLink,
  openSession,
  parseTarget,
  type Session,
  toCliError,
} from '../session.ts'
import { findRememberedDocument, getStateFolder, type Surroundings, writePrivateFile } from '../storage.ts'
import {
  decodeInput,
  getEditor,
  type Input,
  readInput,
  readPipedText,
  runEditor,
  STDIN,
  type Terminal,
  toSafeLine,
} from '../terminal.ts'
import { upload } from '../upload.ts'

/** The length of the longest name of a file with unsaved text, after its time. */
const MAX_NAME = 100

interface Draft extends AsyncDisposable {
  /**
   * @returns the files after the editor has ended, but for those that the user deleted or emptied.
   * @throws CliError if the editor fails, or leaves something that isn't text.
   */
  readonly edit: (terminal: Terminal) => Promise<readonly TextFile[]>
}

export function getFileName({ id, settings }: Document): string {
  const { title = '', language } = settings
  if (/^\w[\w.-]{0,80}$/.test(title)) return title
  const [extension = 'txt'] = findLanguage(language)?.extensions ?? []
  return `${id}.${extension}`
}

async function readEdited(path: string, before: TextFile): Promise<readonly TextFile[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (bytes === null) return []
  if (bytes.byteLength === 0) return before.content === '' ? [before] : []
  const content = decodeInput(bytes, before.name).text
  // Some editors end every file with a line break.
  return [content === `${before.content}\n` ? before : { ...before, content }]
}

async function isChanged(paths: readonly string[], files: readonly TextFile[]): Promise<boolean> {
  const written = await Promise.all(paths.map((path) => readFile(path).catch(() => null)))
  return written.some(
    (bytes, index) => bytes !== null && !bytes.equals(Buffer.from(files[index]?.content ?? '')),
  )
}

/**
 * Only the user can read the files. They are deleted when the draft is disposed of. If the editor fails after it has
 * written something, they are kept elsewhere.
 */
async function openDraft(files: readonly TextFile[]): Promise<Draft> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  let paths: readonly string[]
  try {
    paths = await writeFiles(folder, files, { mode: 0o600 })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    edit: async (terminal) => {
      try {
        const problem = await runEditor(terminal, paths)
        if (problem !== null) throw new CliError('failure', `${problem}. Nothing was saved`)
        const edited = await Promise.all(files.map((file, index) => readEdited(paths[index] ?? '', file)))
        return edited.flat()
      } catch (error) {
        if (!(error instanceof CliError) || !(await isChanged(paths, files))) throw error
        const kept = getUnsavedPath(terminal, 'files')
        await cp(folder, kept, { recursive: true })
        throw new CliError(error.ending, `${error.message}. What you wrote is in ${kept}`)
      }
    },
    [Symbol.asyncDispose]: remove,
  }
}

const getUnsavedFolder = (surroundings: Surroundings): string => join(getStateFolder(surroundings), 'unsaved')

/** Servers choose parts of the name, so only harmless characters of it are kept. */
function getUnsavedPath(terminal: Terminal, name: string): string {
  const time = new Date(terminal.now()).toISOString().replaceAll(/[:.]/g, '-')
  return join(getUnsavedFolder(terminal), `${time}-${name.replaceAll(/[^\w.-]/g, '-').slice(-MAX_NAME)}`)
}

export async function keepUnsavedText(terminal: Terminal, name: string, text: string): Promise<string> {
  const path = getUnsavedPath(terminal, name)
  await writePrivateFile(path, text)
  return path
}

/** Matches no version. Documents that burn after reading show their entity tag only in the answer to this. */
const NO_VERSION = '"none"'

interface Editing {
  readonly context: CommandContext
  readonly session: Session
  readonly id: string
  /** The document token; undefined if the document wasn't created here. */
  readonly token: string | undefined
  /** Names one file of several; null means the whole document. */
  readonly file: string | null
  /** A text that can't be saved is kept in a file. */
  readonly keepsText: boolean
  /** What the link has after its #. */
  readonly linkPassword: string | null
}

/** The new text of a document: files, of which one is an ordinary text with a name, or a text. */
type NewText = Pick<Input, 'text' | 'files'>

const toNewText = (files: readonly TextFile[]): NewText => ({ text: formatArchive(files), files })

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

/** Returns undefined if the language stays. */
async function findNewLanguage(
  { settings }: Document,
  { text, files }: NewText,
): Promise<string | undefined> {
  const [only, ...others] = files ?? []
  if (only) return others.length > 0 ? TXTAR : resolveLanguage(AUTO, only.content, only.name)
  if (settings.language !== TXTAR || parseArchive(text)) return undefined
  return settings.encrypted ? resolveLanguage(AUTO, text) : AUTO
}

async function toRequest({ id }: Editing, opened: ReadText, next: NewText): Promise<EditRequest> {
  const { document, password } = opened
  const language = await findNewLanguage(document, next)
  const chosen = language === undefined ? {} : { language }
  if (password === null) {
    if (next.files) return { id, files: next.files }
    return { id, content: next.text, ...(language !== undefined && { settings: chosen }) }
  }
  const [only, ...others] = next.files ?? []
  const { jwe, claimHash } = await encryptText({
    text: only && others.length === 0 ? only.content : next.text,
    password,
    generated: { asIn: document.content },
  })
  const claimToken = await deriveClaimToken(password, parseJwe(document.content).header)
  const settings = { ...chosen, client_encrypted: true, claim_hash: claimHash }
  return { id, content: jwe, claim_token: claimToken, settings }
}

const save = ({ context, session, token }: Editing, request: EditRequest, etag: string | null) =>
  upload(context, (options) => session.client.editDocument(request, { ...options, token, ifMatch: etag }))

/** Returns null if the error says it. */
function describeOutcome({ ending }: CliError): string | null {
  if (ending === 'network' || ending === 'interrupted') return null
  return ending === 'server' ? 'The server may have saved it' : 'Nothing was saved'
}

async function keepText(
  { context, id }: Editing,
  text: string,
  fileName: string,
  error: unknown,
): Promise<never> {
  const { output, terminal } = context
  const path = await keepUnsavedText(terminal, `${id.replace('/', '-')}-${fileName}`, text)
  const known = error instanceof Interrupted ? new CliError('interrupted', 'Interrupted') : toCliError(error)
  if (!known) {
    output.error(`Your text is in ${path}.`)
    throw error
  }
  const reason =
    known.ending === 'conflict' ? 'Someone else has changed the document since you opened it' : known.message
  const sentences = [reason.replace(/\.$/, ''), describeOutcome(known), `Your text is in ${path}`]
  throw new CliError(known.ending, sentences.filter(Boolean).join('. '))
}

/** Replaces or adds the files that were edited, and takes out those that are gone. */
function mergeFiles(
  all: readonly TextFile[],
  shown: readonly TextFile[],
  edited: readonly TextFile[],
): readonly TextFile[] {
  const byName = new Map(edited.map((file) => [file.name, file]))
  const kept = all.flatMap((file) => byName.get(file.name) ?? (shown.includes(file) ? [] : file))
  const names = new Set(all.map(({ name }) => name))
  return [...kept, ...edited.filter(({ name }) => !names.has(name))]
}

/** Returns null if the user left nothing. */
async function editInEditor(
  { context: { output, terminal }, file }: Editing,
  opened: ReadText,
): Promise<NewText | null> {
  const all = findFiles(opened)
  const whole = all ?? [{ name: getFileName(opened.document), content: opened.text }]
  const shown = file === null ? whole : [requireFile(all, file)]
  await using draft = await openDraft(shown)
  const what = shown.length === 1 ? shown[0]?.name : `${shown.length} files`
  if (terminal.stderr.isTTY) output.note(`Opening ${toSafeLine(what ?? '')} in ${getEditor(terminal)}…`)
  const edited = await draft.edit(terminal)
  if (all) return edited.length === 0 && file === null ? null : toNewText(mergeFiles(all, shown, edited))
  return edited[0] ? { text: edited[0].content, files: null } : null
}

function replaceBySent({ file }: Editing, opened: ReadText, sent: Input): NewText {
  const all = findFiles(opened)
  if (file === null) {
    const named = sent.fileName !== null && all !== null && sent.files === null
    return named ? toNewText([{ name: sent.fileName, content: sent.text }]) : sent
  }
  if (!all) requireFile(all, file)
  if (sent.files) throw new CliError('usage', `${toSafeLine(file)} takes one text`)
  const before = all?.find(({ name }) => name === file)
  return toNewText(mergeFiles(all ?? [], [], [{ ...before, name: file, content: sent.text }]))
}

const scanEdited = ({ context }: Editing, { password, text }: ReadText, next: NewText): readonly NewText[] =>
  scanInputs(context, [next], { isEncrypted: password !== null, before: text })

/** Links into documents of several files, and to text on a page, have something else after the # than a password. */
const expectsEncryption = ({ context, linkPassword }: Editing, { files }: Document): boolean =>
  context.values['password-file'] !== undefined ||
  (linkPassword !== null && !files && !linkPassword.startsWith(':~:'))

/** @param sent the new text, which is scanned already; null opens the editor. */
async function openAndEdit(
  editing: Editing,
  getPassword: (attempt: number) => Promise<string | null>,
  sent: Input | null,
) {
  const { context, session } = editing
  const { output, values } = context
  const { document, etag } = await fetchToEdit(editing)
  if (!document.settings.encrypted && expectsEncryption(editing, document)) {
    const refusal = new CliError('refused', 'There’s a password for it, but the document isn’t encrypted')
    if (editing.keepsText && sent !== null)
      return await keepText(editing, sent.text, getFileName(document), refusal)
    throw refusal
  }
  const opened = await decryptDocument(document, { getPassword })
  const next = sent === null ? await editInEditor(editing, opened) : replaceBySent(editing, opened, sent)
  let saved: VersionedDocument = { document, etag }
  if (next === null || next.text === opened.text) output.note('Nothing changed.')
  else {
    try {
      // What a program sends is scanned before.
      const [scanned = next] = sent === null ? scanEdited(editing, opened, next) : [next]
      saved = await save(editing, await toRequest(editing, opened, scanned), etag)
    } catch (error) {
      const refusal = error instanceof RegentError ? describeRefusal(error, session) : error
      // Without await, it could reject while the draft is being deleted, which would end the program.
      if (editing.keepsText) return await keepText(editing, next.text, getFileName(document), refusal)
      throw refusal
    }
    output.note(`Saved ${editing.id}.`)
  }
  const { content: _, files: __, ...info } = saved.document
  const url = getLink(saved.document)
  const link = opened.password === null ? url : buildPasswordLink(url, opened.password)
  await output.print(values.json ? `${JSON.stringify({ link, ...info })}\n` : `${link}\n`)
}

/** @param keepsText false for an agent, which still has the text: a file would keep what may be secret. */
export async function editTarget(
  context: CommandContext,
  sent: Input | null,
  keepsText = true,
): Promise<void> {
  const target = parseTarget(context.operands[0] ?? '')
  const session = await openSession(context, target.server)
  const { id } = target
  const remembered = await findRememberedDocument(context.terminal, session.server, id)
  if (session.key === null && !remembered) {
    await session.client.checkDocument(id, { signal: context.terminal.signal })
    const refusal = 'You can edit only documents that you created on this machine or with your account'
    throw new CliError(
      'refused',
      `${refusal}. Sign in with "regent login"`,
      `${refusal}. Share the text as a new document, or ${ASK_TO_SIGN_IN}`,
    )
  }
  const { file, password: linkPassword } = target
  const editing = { context, session, id, token: remembered?.token, file, keepsText, linkPassword }
  const getPassword = createPasswordSource(context, target.password)
  try {
    await openAndEdit(editing, getPassword, sent)
  } catch (error) {
    throw error instanceof RegentError ? describeRefusal(error, session) : error
  }
}

const readsPassword = ({ values }: CommandContext): boolean => values['password-file'] === STDIN

export async function edit(context: CommandContext): Promise<void> {
  const piped = readsPassword(context) ? null : await readPipedText(context.terminal)
  const [sent = null] = piped === null ? [] : scanInputs(context, [piped], { isEncrypted: false })
  await editTarget(context, sent)
}

export async function update(context: CommandContext): Promise<void> {
  const { operands, output, terminal } = context
  const [, path = STDIN, ...others] = operands
  const paths = [path, ...others]
  if (paths.filter((one) => one === STDIN).length + Number(readsPassword(context)) > 1)
    throw new CliError('usage', 'Standard input can be read only once')
  const isOne = others.length === 0 && !(await isFolder(path))
  const read = isOne ? await readInput(path, terminal) : await readFiles(paths, terminal, output)
  const [input = read] = scanInputs(context, [read], { isEncrypted: false })
  await editTarget(context, input)
}

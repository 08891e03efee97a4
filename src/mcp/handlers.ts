import { joinFiles, toContent } from '../documents/content.ts'
import { createDocument, plainDocument } from '../documents/create.ts'
import { deleteDocument } from '../documents/delete.ts'
import {
  type Document,
  type DocumentSummary,
  getDefaultExpiry,
  getNamedAddress,
  mayEdit,
  neverExpires,
  parseExpiration,
  parseTypedExpiry,
  type Viewer,
} from '../documents/document.ts'
import { editDocument } from '../documents/edit.ts'
import { listDocuments } from '../documents/lists.ts'
import {
  burnsFor,
  deliver,
  documentAt,
  requireFound,
  retryWhileStale,
  StoredContent,
} from '../documents/read.ts'
import { countView } from '../documents/views.ts'
import type { AppContext } from '../env.ts'
import { AppError, editNotAllowed, isNameTaken } from '../errors.ts'
import { findDocumentToRead } from '../http/find-document.ts'
import { askAccount, getOrigin, NOTHING, readApiKey, requireManager } from '../http/identity.ts'
import { countGuess, limitDelivery, limitLongText, limitRate } from '../http/limits.ts'
import { getNetwork } from '../http/network.ts'
import { authorizeOptions, keyNeeded, keyNeededToCreate, requireAuthor } from '../http/permissions.ts'
import { logDocument } from '../http/request-log.ts'
import { findAddressInPath, formatNamedAddress, isDocumentAddress } from '../shared/document-ids.ts'
import { AUTO } from '../shared/languages.ts'
import { type ToolHandlers, type ToolResult, textResult } from '../shared/mcp/protocol.ts'
import {
  CALL_READ_ONCE,
  explainTakenName,
  formatLanguage,
  formatRead,
  markAsData,
  NAME_NEEDS_ACCOUNT,
  NOT_DELETED_BY_READING,
  type ReadPart,
} from '../shared/mcp/texts.ts'
import type { ToolInput, ToolName } from '../shared/mcp/tools.ts'

const invalid = (message: string) => new AppError('bad_request', message)

/** The address of a document in what the agent sent: an id, a name, or a link to this site. */
function requireAddress(c: AppContext, typed: string): string {
  if (isDocumentAddress(typed)) return typed
  const url = /^https?:\/\/[^/?#\\]{1,253}\//i.test(typed) ? URL.parse(typed) : null
  if (!url) throw invalid('Name a document by its id, its link or @username/name')
  if (url.origin !== c.var.siteUrl && url.origin !== getOrigin(c.req.url))
    throw invalid(`That link is for another server. This one is ${c.var.siteUrl}`)
  const address = findAddressInPath(url.pathname)
  if (address === null) throw invalid('That link isn’t one to a document')
  return address
}

/** @throws AppError `bad_request` for a link to one file of several, which would have all of them replaced or deleted. */
function requireWholeAddress(c: AppContext, typed: string): string {
  const address = requireAddress(c, typed)
  if (/[?&]file=/.test(typed))
    throw invalid('That link is for one file, and this is done to the whole document. Leave out ?file=')
  return address
}

const getLink = (c: AppContext, document: Pick<DocumentSummary, 'id' | 'creator' | 'name'>): string =>
  `${c.var.siteUrl}/${getNamedAddress(document) ?? document.id}`

const formatExpires = (document: Pick<DocumentSummary, 'expiresAt'>): string =>
  neverExpires(document) ? 'never expires' : `expires ${new Date(document.expiresAt).toISOString()}`

type SentText = Pick<ToolInput<'share'>, 'content' | 'files'> & {
  readonly language?: string | null | undefined
}

function requireText({ content, files, language }: SentText) {
  if (content !== undefined && files !== undefined) throw invalid('Send content or files, not both')
  const joined = files
    ? joinFiles(files, language)
    : {
        content: content ?? '',
        name: undefined,
        language: language ?? undefined,
        languageDetected: undefined,
      }
  if (joined.content === '') throw invalid("There's no text: send content or files")
  return joined
}

const encryptedHere = () =>
  invalid(
    'This document is encrypted. Only "regent mcp", the site and curl with its password can read or replace it',
  )

async function share(c: AppContext, input: ToolInput<'share'>): Promise<ToolResult> {
  const { config, now, store } = c.var
  const creator = await requireAuthor(c, { refuse: keyNeededToCreate })
  const { content, name: fileName, language, languageDetected } = requireText(input)
  const expiresAt =
    input.expires === undefined
      ? getDefaultExpiry(now)
      : parseExpiration(parseTypedExpiry(input.expires), now)
  const name = input.name || null
  if (name !== null && !creator)
    throw invalid(`${NAME_NEEDS_ACCOUNT} to put an API key into the settings of this server`)
  authorizeOptions(c, creator, { name, expiresAt })
  if (!creator) await limitRate(c, 'creates', getNetwork(c))
  const { document, token } = await createDocument(
    store,
    {
      ...plainDocument(toContent(content, false, config.maxContentBytes), now),
      title: input.title ?? fileName ?? null,
      name,
      language: language ?? AUTO,
      languageDetected,
      expiresAt,
      burnAfterReading: input.burn ?? false,
    },
    { creator, now },
  ).catch((error: unknown) => {
    if (!creator || name === null || !isNameTaken(error)) throw error
    throw new AppError('conflict', explainTakenName(formatNamedAddress({ username: creator.username, name })))
  })
  logDocument(c, document.id)
  const link = getLink(c, document)
  const kept =
    token === null
      ? ''
      : `\nTo replace or delete it later, send its token: curl -X DELETE -H 'X-Document-Token: ${token}' ${link}`
  const burns = document.burnAfterReading ? ', deleted after the first read' : ''
  return textResult(`${link}\nIt ${formatExpires(document)}${burns}.${kept}`)
}

const formatDocument = (
  c: AppContext,
  document: Document,
  { state, ...shown }: { text: string; isLast: boolean; part: ReadPart; state: string },
): ToolResult =>
  formatRead({
    ...shown,
    facts: `${getLink(c, document)} (${formatLanguage(document.language)}, ${document.contentBytes} bytes). ${state}.`,
  })

/** @throws AppError `bad_request` for an encrypted document, and for one that reading deletes. */
function requireReadable(document: Document, viewer: Viewer): void {
  if (document.encrypted) throw encryptedHere()
  if (burnsFor(document, viewer)) throw invalid(`Reading this document deletes it. ${CALL_READ_ONCE}`)
}

async function read(c: AppContext, input: ToolInput<'read'>): Promise<ToolResult> {
  const { now, store } = c.var
  const { document: found, viewer } = await findDocumentToRead(c, requireAddress(c, input.document))
  requireReadable(found, viewer)
  await limitLongText(c, found.contentBytes)
  const { document, text } = await retryWhileStale(store, found, now, async (document) => {
    // An edit may have made it burn meanwhile.
    requireReadable(document, viewer)
    return { document, text: await new StoredContent(store.contents, document).read() }
  })
  countView(store, document, now)
  return formatDocument(c, document, {
    text,
    isLast: false,
    part: input,
    state: `It ${formatExpires(document)}`,
  })
}

async function readOnce(c: AppContext, input: ToolInput<'read_once'>): Promise<ToolResult> {
  const { now, store } = c.var
  const { document: found, viewer } = await findDocumentToRead(c, requireAddress(c, input.document))
  if (found.encrypted) throw encryptedHere()
  if (!burnsFor(found, viewer)) throw invalid(NOT_DELETED_BY_READING)
  const reader = { viewer, proof: {}, now }
  await limitDelivery(c, found, reader)
  await limitLongText(c, found.contentBytes)
  const { document, content, burned } = await deliver(store, found, reader)
  const state = burned ? 'It has been deleted now' : `It ${formatExpires(document)}`
  return formatDocument(c, document, { text: content, isLast: burned, part: {}, state })
}

async function update(c: AppContext, input: ToolInput<'update'>): Promise<ToolResult> {
  const { config, now, store } = c.var
  const { content, name, language, languageDetected } = requireText(input)
  const { viewer, found } = await requireManager(c, documentAt(requireWholeAddress(c, input.document), now))
  const document = requireFound(found)
  logDocument(c, document.id)
  if (!mayEdit(document, viewer)) throw editNotAllowed()
  if (document.encrypted) throw encryptedHere()
  const edit = {
    content: toContent(content, false, config.maxContentBytes),
    language,
    languageDetected,
    fileName: name,
    fixedSettings: {},
  }
  const edited = await editDocument(store, document, edit, { viewer, now, checkPrecondition: () => {} })
  return textResult(`Replaced the text of ${getLink(c, edited.document)}`)
}

async function remove(c: AppContext, input: ToolInput<'delete'>): Promise<ToolResult> {
  const { now, store } = c.var
  const address = requireWholeAddress(c, input.document)
  const { viewer, found } = await requireManager(c, documentAt(address, now))
  await deleteDocument(store, { address, found, viewer, now })
  return textResult('Deleted.')
}

const DEFAULT_LIMIT = 20

async function list(
  c: AppContext,
  { limit = DEFAULT_LIMIT, search }: ToolInput<'list'>,
): Promise<ToolResult> {
  const { now, store } = c.var
  const { user } = await askAccount(c, NOTHING, 'read')
  if (!user) throw keyNeeded('Only accounts have a list of documents.')
  if (search) await limitRate(c, 'searches', `account ${user.id}`)
  const { documents, cursor } = await listDocuments(store, user, {
    scope: 'created',
    sort: 'newest',
    search,
    limit,
    now,
  })
  if (documents.length === 0) return textResult('No documents.')
  const rows = documents.map((document) =>
    JSON.stringify({
      link: getLink(c, document),
      title: document.title,
      language: document.language,
      bytes: document.contentBytes,
      expires: neverExpires(document) ? null : new Date(document.expiresAt).toISOString(),
    }),
  )
  const more = cursor === null ? '' : '\nThere are more.'
  return textResult(`${markAsData('The list', rows.join('\n'))}${more}`)
}

/** A tool's answer is a 200 even if it found nothing, so guesses of ids and keys are counted here. */
const counted =
  <Name extends ToolName>(
    c: AppContext,
    run: (c: AppContext, input: ToolInput<Name>) => Promise<ToolResult>,
  ) =>
  async (input: ToolInput<Name>): Promise<ToolResult> => {
    try {
      return await run(c, input)
    } catch (error) {
      const isGuess =
        error instanceof AppError &&
        (error.code === 'not_found' || (error.code === 'unauthorized' && readApiKey(c) !== undefined))
      if (isGuess && c.var.config.rateLimits) await countGuess(c)
      throw error
    }
  }

export const createHandlers = (c: AppContext): ToolHandlers => ({
  share: counted<'share'>(c, share),
  read: counted<'read'>(c, read),
  read_once: counted<'read_once'>(c, readOnce),
  update: counted<'update'>(c, update),
  delete: counted<'delete'>(c, remove),
  list: counted<'list'>(c, list),
})

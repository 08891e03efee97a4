import { encryptedTitle, unavailable } from '../errors.ts'
import { hadNoEffect } from '../platform/database.ts'
import { titleText } from '../shared/derive-title.ts'
import { hashSecret } from '../shared/hashing.ts'
import type { Instant } from '../shared/instant.ts'
import { AUTO, findLanguageOfTitle } from '../shared/languages.ts'
import { resolveLanguage } from '../shared/resolve-language.ts'
import { CHOSEN_FLAGS, type ChosenFlag, type Flags, mapFlags, SETTINGS } from '../shared/settings.ts'
import { blockCheckStatements, createBlockCheck } from './block-check.ts'
import { encryptContent, type IncomingContent } from './content.ts'
import { getContentExpiry } from './content-store.ts'
import {
  type Account,
  cleanTitle,
  type DocumentWrite,
  generateDocumentToken,
  generateId,
  generateVersion,
  getDefaultExpiry,
  type IdLength,
} from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { requireEditors } from './editors.ts'
import { type IdempotentRequest, openIdempotentCreate } from './idempotent-create.ts'
import { requireFreeName } from './names.ts'
import { canHaveRoomFor, createCheckStatements, requireRoomFor } from './quotas.ts'
import { storeUnlessRefused } from './refusals.ts'
import { toTurn } from './turns.ts'
import { insertDocument } from './write.ts'

export interface NewDocument extends Flags<ChosenFlag> {
  /** A JWE exactly where the client encrypted. */
  readonly content: IncomingContent
  /** A name in lower case; `auto` is detected. Null if nobody chose one: the title decides if it is a file name, and pages detect it. */
  readonly language: string | null
  /** Says whether `language` was detected, so that an edit detects it again. If it's left out, that is so for `auto` only. */
  readonly languageDetected?: boolean | undefined
  readonly title: string | null
  /** The name, which only documents of accounts have. */
  readonly name: string | null
  readonly expiresAt: Instant
  readonly idLength: IdLength
  /** Says how to encrypt. Null means no encryption; `password: null` asks for a generated password. */
  readonly encryption: { readonly password: string | null } | null
  /** Proves the password of a burn-after-reading JWE. */
  readonly claimHash: string | null
  readonly editors: readonly string[]
  /** Is true if a gist is to be scheduled, which is published once the document is stored. */
  readonly gist: boolean
  /** The id of the document that it's a duplicate of. Encrypted and burn-after-reading documents don't store it. */
  readonly duplicatedFrom?: string | null
}

export const plainDocument = (content: IncomingContent, now: Instant): NewDocument => ({
  content,
  language: null,
  title: null,
  name: null,
  expiresAt: getDefaultExpiry(now),
  idLength: 'standard',
  ...mapFlags(CHOSEN_FLAGS, (name) => SETTINGS[name].default),
  encryption: null,
  claimHash: null,
  editors: [],
  gist: false,
})

interface CreateContext {
  readonly creator: Account | null
  readonly now: Instant
  readonly idempotent?: IdempotentRequest | null
}

/** How many ids are tried. Even with every second id taken, only one create in a thousand needs more. */
const MAX_ID_ATTEMPTS = 10

const isEncrypted = ({ content, encryption }: NewDocument): boolean =>
  encryption !== null || content.kind === 'jwe'

/** Prepares all of a row that can be known before the content is stored. @throws AppError as `createDocument` does. */
async function prepareWrite(
  store: DocumentStore,
  input: NewDocument,
  { creator, givenTitle, now }: { creator: Account | null; givenTitle: string | null; now: Instant },
) {
  const { content, expiresAt } = input
  const encrypted = isEncrypted(input)
  const editors = creator ? await requireEditors(store, input.editors, creator) : []
  if (creator && input.name !== null)
    await requireFreeName(store.db, { creatorId: creator.id, name: input.name }, now)
  const { bytes, contentBytes, claim, proofHash, generatedPassword } = await encryptContent(input)
  const text = content.kind === 'text' ? content.text : null
  const language = await resolveLanguage(
    input.language ?? (givenTitle && findLanguageOfTitle(givenTitle)) ?? SETTINGS.language.default,
    text,
    givenTitle ?? undefined,
  )
  const blockCheck = await createBlockCheck(store, content.kind === 'text' ? content : null)
  const token = creator ? null : generateDocumentToken()
  const write: Omit<DocumentWrite, 'id' | 'contentKey' | 'version'> = {
    creatorId: creator?.id ?? null,
    editorIds: editors.map((editor) => editor.id),
    contentBytes,
    contentExpiresAt: getContentExpiry(expiresAt),
    revision: 1,
    title: givenTitle ?? (text === null || encrypted ? null : titleText(text, input.language && language)),
    givenTitle,
    name: creator && input.name,
    lastEditedById: null,
    language,
    languageChosen: input.language !== null,
    languageDetected: input.language !== null && (input.languageDetected ?? input.language === AUTO),
    ...mapFlags(CHOSEN_FLAGS, (name) => input[SETTINGS[name].property]),
    encrypted,
    claim,
    proofHash,
    tokenHash: token && (await hashSecret(token)),
    contentHash: encrypted ? null : blockCheck.contentHash,
    creatorAddress: creator ? null : blockCheck.address,
    duplicatedFrom: encrypted || input.burnAfterReading ? null : (input.duplicatedFrom ?? null),
    blockCheck,
    createdAt: now,
    updatedAt: now,
    expiresAt,
  }
  return { write, editors, token, bytes, generatedPassword }
}

/**
 * Stores the content before the row that refers to it, and after everything that can be known without D1's triggers.
 * Returns the document of the first request if this one repeats it.
 *
 * @throws AppError `bad_request` for a title of an encrypted document and at each editor who doesn't exist, `conflict`
 * for a name that another document has, and an idempotency key that was used for something else or whose document is
 * gone, `unavailable`, and what `insertDocument` throws.
 */
export async function createDocument(
  store: DocumentStore,
  input: NewDocument,
  { creator, now, idempotent = null }: CreateContext,
) {
  const givenTitle = cleanTitle(input.title)
  if (isEncrypted(input) && givenTitle !== null) throw encryptedTitle()
  const repeatable = idempotent && (await openIdempotentCreate(store, input, idempotent, { creator, now }))
  const keys = [
    ...(repeatable ? [toTurn.idempotencyKey(repeatable.keyHash)] : []),
    ...(creator && input.name !== null ? [toTurn.name(creator, input.name)] : []),
  ]
  return await store.turns.take(keys, () =>
    createInTurn(store, input, { creator, givenTitle, now, repeatable }),
  )
}

interface CreateInTurn extends Pick<CreateContext, 'creator' | 'now'> {
  readonly givenTitle: string | null
  readonly repeatable: Awaited<ReturnType<typeof openIdempotentCreate>> | null
}

async function createInTurn(
  store: DocumentStore,
  input: NewDocument,
  { creator, givenTitle, now, repeatable }: CreateInTurn,
) {
  const repeated = await repeatable?.findRepeated()
  if (repeated) return { ...repeated, password: null }
  const { write, editors, token, bytes, generatedPassword } = await prepareWrite(store, input, {
    creator,
    givenTitle,
    now,
  })
  const { creatorId, contentBytes, contentExpiresAt } = write
  const toAdded = (writes: number) => ({ documents: writes, bytes: writes * contentBytes, writes })
  requireRoomFor(store.quotas, creatorId, { added: toAdded(1), now })
  // The triggers have counted nothing of a new account.
  const ahead = (writes: number) =>
    canHaveRoomFor(store.quotas, creatorId, toAdded(writes))
      ? [
          ...blockCheckStatements(write.blockCheck),
          ...createCheckStatements(store.quotas, creatorId, now, toAdded(writes)),
        ]
      : null
  const options = {
    editors,
    withGist: input.gist,
    idempotent: repeatable && (await repeatable.toWrite(token)),
    quotas: store.quotas,
  }

  /** Returns null if its id is taken. */
  const tryCreate = async () => {
    const id = generateId(input.idLength)
    const contentKey = await store.contents.put({ documentId: id, bytes, contentExpiresAt, now })
    const discardContent = () => store.defer(() => store.contents.delete(contentKey))
    const row: DocumentWrite = { ...write, id, contentKey, version: generateVersion() }
    let isRepeated = false
    const onRepeat = () => {
      isRepeated = true
    }
    const inserted = await insertDocument(store.db, row, { ...options, onRepeat }).catch((error) => {
      // If the outcome is unknown the content stays: cleanup deletes it unless a row refers to it.
      if (hadNoEffect(error)) discardContent()
      throw error
    })
    switch (inserted.kind) {
      case 'inserted':
        // Nothing returns the password again, nor the token, except to a repeated request.
        return {
          document: inserted.document,
          content: input.content.text,
          password: generatedPassword,
          token,
        }
      case 'id-taken':
        // The document that has it may be this one, whose first answer was lost, and which somebody has changed since.
        if (!isRepeated) discardContent()
        return null
      case 'repeats':
        // Anything may have happened to the document if this create did take effect, but its response was lost.
        if (inserted.first.contentKey !== contentKey) discardContent()
        return repeatable && { ...(await repeatable.repeat(inserted.first)), password: null }
    }
  }

  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
    const created = await storeUnlessRefused(store, { writerId: creatorId, ahead, now }, tryCreate)
    if (created) return created
  }
  throw unavailable(new Error(`no free id of length "${input.idLength}" in ${MAX_ID_ATTEMPTS} attempts`))
}

import { encryptedTitle, invalidBody, issueAt } from '../../errors.ts'
import { parseJwe } from '../../shared/encryption/jwe.ts'
import { resolveLanguage } from '../../shared/languages/resolve-language.ts'
import {
  type ByProperty,
  EDITABLE_FLAGS,
  type EditableFlag,
  mapFlags,
  SETTINGS,
  STORED_FLAGS,
} from '../../shared/settings.ts'
import { deriveTitle } from '../../shared/text/derive-title.ts'
import { createBlockCheck } from '../create/block-check.ts'
import type { DocumentStore } from '../document-store.ts'
import { createClaim } from '../encryption/claim.ts'
import type { BlockCheck } from '../model/block-check.ts'
import { encodeText } from '../model/content.ts'
import { hashContent } from '../model/content-hash.ts'
import {
  type Claim,
  type Document,
  type DocumentWrite,
  hasEditors,
  isCreator,
  type Viewer,
} from '../model/document.ts'
import { generateVersion } from '../model/ids.ts'
import { cleanTitle } from '../model/title.ts'
import { requireEditorIds } from '../require-editors.ts'
import type { ContentEdit, ContentPlan } from './plan-content.ts'

/** The changes of an edit. Undefined members stay unchanged. */
export interface Edit extends ContentEdit, Partial<ByProperty<EditableFlag, boolean | undefined>> {
  /** In lower case; `auto` is detected. */
  readonly language?: string | undefined
  /** Whether somebody chose the language. By default, a caller that sends one has chosen it. */
  readonly languageChosen?: boolean | undefined
  /** A title or file name; empty removes the given title. */
  readonly title?: string | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined
  /** Usernames, as sent. */
  readonly editors?: readonly string[] | undefined
  /** Account ids, instead of `editors`. */
  readonly editorIds?: readonly string[] | undefined
  readonly clientEncrypted?: boolean | undefined
  /** Proves the password of the JWE that the document has after the edit. */
  readonly claimHash?: string | undefined
  /** The number of the revision whose content this is. It must still exist when the edit is written. */
  readonly restores?: number | undefined
  /** Whether the password of the document has been checked already. */
  readonly passwordProven?: boolean | undefined
  /** Settings that no edit can change, as sent, by their names on the wire. */
  readonly fixedSettings: Readonly<Record<string, unknown>>
}

/**
 * Returns the document after the edit, with its current content key; null if the edit changes nothing.
 *
 * @throws AppError `bad_request` for a title of an encrypted document, at each editor who doesn't exist, or for a
 * missing claim hash.
 */
export async function planDocument(
  store: DocumentStore,
  document: Document,
  edit: Edit,
  content: ContentPlan,
  { viewer, now }: { viewer: Viewer; now: number },
): Promise<DocumentWrite | null> {
  const givenTitle = planGivenTitle(document, edit)
  const settings = {
    givenTitle,
    language: await planLanguage(document, edit, content, givenTitle),
    languageChosen: edit.languageChosen ?? (document.languageChosen || edit.language !== undefined),
    expiresAt: edit.expiresAt ?? document.expiresAt,
    ...mapFlags(EDITABLE_FLAGS, (name) => {
      const { property } = SETTINGS[name]
      return edit[property] ?? document[property]
    }),
  }
  const editorIds = await planEditorIds(store, document, edit, viewer)
  const { claim, proofHash } = await planProof(document, settings, edit, content)
  const newText = content.changed ? content.text : null
  const blockCheck = await createBlockCheck(
    store,
    newText === null ? null : { text: newText, bytes: encodeText(newText) },
  )
  const names = Object.keys(settings) as (keyof typeof settings)[]
  const changed =
    content.changed ||
    claim?.hash !== document.claim?.hash ||
    proofHash !== document.proofHash ||
    !hasEditors(document, editorIds) ||
    names.some((name) => settings[name] !== document[name])
  if (!changed) return null
  return {
    ...mapFlags(STORED_FLAGS, (name) => document[SETTINGS[name].property]),
    ...settings,
    id: document.id,
    creatorId: document.creator?.id ?? null,
    editorIds,
    contentKey: document.contentKey,
    contentBytes: content.contentBytes,
    contentExpiresAt: document.contentExpiresAt,
    revision: document.revision + Number(content.changed),
    title: planTitle(document, givenTitle, content),
    lastEditedById: viewer.id,
    claim,
    proofHash,
    tokenHash: document.tokenHash,
    contentHash: await planContentHash(document, content, blockCheck),
    blockCheck,
    version: generateVersion(),
    createdAt: document.createdAt,
    updatedAt: now,
  }
}

/** Returns the hash of the content after the edit. Also gives one to a document that has none yet. */
async function planContentHash(
  { encrypted }: Document,
  { text }: ContentPlan,
  { contentHash }: BlockCheck,
): Promise<string | null> {
  if (encrypted || text === null) return null
  return contentHash ?? hashContent(encodeText(text))
}

/** Refuses a title for encrypted documents, where anyone with the link could read it. */
function planGivenTitle(document: Document, { title }: Edit): string | null {
  if (title === undefined) return document.givenTitle
  const givenTitle = cleanTitle(title)
  if (document.encrypted && givenTitle !== null) throw encryptedTitle()
  return givenTitle
}

function planTitle(
  document: Document,
  givenTitle: string | null,
  { text, changed }: ContentPlan,
): string | null {
  if (givenTitle !== null) return givenTitle
  if (!changed && document.givenTitle === null) return document.title
  return document.encrypted || text === null ? null : deriveTitle(text)
}

async function planLanguage(
  document: Document,
  { language }: Edit,
  { text }: ContentPlan,
  title: string | null,
): Promise<string> {
  if (language === undefined) return document.language
  // Encrypted text can't be examined, so the document keeps its language.
  return language === 'auto' && text === null
    ? document.language
    : resolveLanguage(language, text, title ?? undefined)
}

async function planEditorIds(
  store: DocumentStore,
  document: Document,
  { editors, editorIds }: Edit,
  viewer: Viewer,
): Promise<readonly string[]> {
  if (document.creator !== null && isCreator(document, viewer)) {
    if (editorIds) return editorIds
    if (editors) return requireEditorIds(store, editors, document.creator)
  }
  return document.editors.map((editor) => editor.id)
}

interface ProofPlan {
  readonly claim: Claim | null
  readonly proofHash: string | null
}

/** Returns how the password of the document can be proven after the edit. */
async function planProof(
  { encrypted, claim, proofHash }: Document,
  { burnAfterReading }: { burnAfterReading: boolean },
  { password, claimHash }: Edit,
  { stored, changed }: ContentPlan,
): Promise<ProofPlan> {
  if (!encrypted) return { claim: null, proofHash: null }
  if (!changed && claimHash === undefined && (claim || !burnAfterReading)) {
    return { claim: burnAfterReading ? claim : null, proofHash }
  }
  if (password === undefined && claimHash === undefined && !burnAfterReading) {
    return { claim: null, proofHash: null }
  }
  const proven = await planClaim({ password, claimHash }, stored)
  return { claim: burnAfterReading ? proven : null, proofHash: proven.hash }
}

/** Returns the claim for a JWE. Throws `bad_request` if the edit has neither the password nor a claim hash. */
async function planClaim(
  { password, claimHash }: Pick<Edit, 'password' | 'claimHash'>,
  stored: string,
): Promise<Claim> {
  if (password !== undefined) return createClaim(stored, password)
  if (claimHash !== undefined) return { header: parseJwe(stored).header.encoded, hash: claimHash }
  throw invalidBody(
    issueAt(
      ['settings', 'claim_hash'],
      'Required for an encrypted document with instant_delete, unless you send the password',
    ),
  )
}

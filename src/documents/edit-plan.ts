import { encryptedContentNotEditable, encryptedTitle, invalidBody, issueAt } from '../errors.ts'
import { renameText, titleText } from '../shared/derive-title.ts'
import { encodeText } from '../shared/encodings.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from '../shared/jwe.ts'
import { AUTO, findLanguageOfFile, findLanguageOfTitle, TXTAR } from '../shared/languages.ts'
import { resolveLanguage } from '../shared/resolve-language.ts'
import {
  type ByProperty,
  EDITABLE_FLAGS,
  type EditableFlag,
  mapFlags,
  SETTINGS,
  STORED_FLAGS,
} from '../shared/settings.ts'
import { hasHeaderLine, parseArchive } from '../shared/txtar.ts'
import { createBlockCheck, hashContent } from './block-check.ts'
import { createClaim, type IncomingContent } from './content.ts'
import {
  type Claim,
  cleanTitle,
  type Document,
  type DocumentWrite,
  generateVersion,
  hasEditors,
  isCreator,
  looksGenerated,
  type Viewer,
} from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { requireEditors } from './editors.ts'
import { requireFreeName } from './names.ts'
import type { StoredContent } from './read.ts'

/** An edit that started later may have been faster, by less than this. A time that is even later is of a clock that was wrong. */
const MAX_LATER_MS = MINUTE_MS

interface ContentEdit {
  readonly content?: IncomingContent | undefined
  /** The password, which is the same before and after the edit. */
  readonly password?: string | undefined
  /** Proves the password, before the edit, without revealing it. */
  readonly claimToken?: string | undefined
}

export type ContentPlan = Awaited<ReturnType<typeof planContent>>

/**
 * Reads the current content only if needed. The text is null if the service doesn't know it.
 *
 * @throws AppError `bad_request` without the right password.
 */
export async function planContent(
  document: Document,
  currentContent: StoredContent,
  { content, password }: ContentEdit,
) {
  const { contentBytes, encrypted } = document
  const keepContent = async () => ({ stored: await currentContent.read(), contentBytes, changed: false })
  if (!content) {
    if (password !== undefined) await currentContent.decrypt(password)
    const kept = await keepContent()
    return { ...kept, text: encrypted ? null : kept.stored }
  }
  if (content.kind === 'jwe') {
    return { stored: content.text, contentBytes: content.contentBytes, changed: true, text: null }
  }
  const { text, bytes } = content
  if (!encrypted) {
    // Text of a different length must be different text: no need to read it.
    const changed = bytes.byteLength !== contentBytes || text !== (await currentContent.read())
    return { stored: text, contentBytes: bytes.byteLength, changed, text }
  }
  if (password === undefined) {
    throw encryptedContentNotEditable(
      issueAt(['password'], 'Send the password, or a JWE with settings.client_encrypted'),
    )
  }
  if ((await currentContent.readText(password)) === text) return { ...(await keepContent()), text }
  const stored = await encryptJwe(bytes, password, chooseIterations(await currentContent.read(), password))
  return { stored, contentBytes: bytes.byteLength, changed: true, text }
}

/** A generated password keeps its low iteration count. */
function chooseIterations(currentJwe: string, password: string): number {
  const { iterations } = parseJwe(currentJwe).header
  return iterations === GENERATED_PASSWORD_ITERATIONS && looksGenerated(password)
    ? GENERATED_PASSWORD_ITERATIONS
    : CHOSEN_PASSWORD_ITERATIONS
}

/** The changes to a document. Undefined members stay unchanged. */
export interface Edit extends ContentEdit, Partial<ByProperty<EditableFlag, boolean | undefined>> {
  /** A name in lower case; `auto` is detected. */
  readonly language?: string | undefined
  /** A caller that sends a language has chosen it, unless this says otherwise. */
  readonly languageChosen?: boolean | undefined
  /** Says whether nobody named the language. If it's left out, that is so for `auto` only. */
  readonly languageDetected?: boolean | undefined
  /** The new name; empty removes the name. */
  readonly name?: string | undefined
  /** A title or file name; empty removes the given title. */
  readonly title?: string | undefined
  /** The title, unless another one is sent or the document is encrypted: the name could reveal what the text is. */
  readonly fileName?: string | undefined
  readonly expiresAt?: Instant | undefined
  readonly editors?: readonly string[] | undefined
  readonly editorIds?: readonly string[] | undefined
  readonly clientEncrypted?: boolean | undefined
  /** Proves the password after the edit. */
  readonly claimHash?: string | undefined
  /** The number of the revision whose content this is. It must still exist when the edit is written. */
  readonly restores?: number | undefined
  readonly passwordProven?: boolean | undefined
  /** Settings that no edit can change, as sent, by their names on the wire. */
  readonly fixedSettings: Readonly<Record<string, unknown>>
}

/**
 * Returns the changes that an edit makes; null if it makes none.
 *
 * @throws AppError `bad_request` for a title of an encrypted document, editors who don't exist, or a missing claim
 * hash, `conflict` for a name that another document has.
 */
export async function planDocument(
  store: DocumentStore,
  document: Document,
  edit: Edit,
  content: ContentPlan,
  { viewer, now }: { viewer: Viewer; now: Instant },
): Promise<DocumentWrite | null> {
  const givenTitle = planGivenTitle(document, edit, content)
  const settings = {
    givenTitle,
    name: edit.name === undefined ? document.name : edit.name || null,
    ...(await planLanguage(document, edit, content, givenTitle)),
    expiresAt: edit.expiresAt ?? document.expiresAt,
    ...mapFlags(EDITABLE_FLAGS, (name) => {
      const { property } = SETTINGS[name]
      return edit[property] ?? document[property]
    }),
  }
  const { creator } = document
  const { name } = settings
  if (creator && name !== null && name !== document.name)
    await requireFreeName(store.db, { creatorId: creator.id, name }, now)
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
    title: planTitle(document, settings, content),
    lastEditedById: viewer.id,
    claim,
    proofHash,
    tokenHash: document.tokenHash,
    // A document from before there were hashes gets one.
    contentHash:
      document.encrypted || content.text === null
        ? null
        : (blockCheck.contentHash ?? (await hashContent(encodeText(content.text)))),
    blockCheck,
    version: generateVersion(),
    createdAt: document.createdAt,
    updatedAt: document.updatedAt < now + MAX_LATER_MS ? Math.max(now, document.updatedAt) : now,
  }
}

/** The title of one text may be its file name, which goes on as that of a file. */
function becomesFileName(
  { givenTitle, language: before }: Document,
  { language }: Edit,
  { text }: ContentPlan,
) {
  if (givenTitle === null || text === null || before === TXTAR || language !== TXTAR) return false
  return parseArchive(text)?.some(({ name }) => name === givenTitle) ?? false
}

/** Refuses a title where anyone with the link could read it. */
function planGivenTitle(document: Document, edit: Edit, content: ContentPlan): string | null {
  const title = edit.title ?? (document.encrypted ? undefined : edit.fileName)
  if (title === undefined) return becomesFileName(document, edit, content) ? null : document.givenTitle
  const givenTitle = cleanTitle(title)
  if (document.encrypted && givenTitle !== null) throw encryptedTitle()
  return givenTitle
}

function planTitle(
  document: Document,
  { givenTitle, language, languageChosen }: Pick<DocumentWrite, 'givenTitle' | 'language' | 'languageChosen'>,
  { text, changed }: ContentPlan,
): string | null {
  if (givenTitle !== null) return givenTitle
  if (document.encrypted) return null
  if (!changed && document.givenTitle === null)
    return document.title !== null && language !== document.language
      ? renameText(document.title, language)
      : document.title
  const known = languageChosen ? language : null
  return text === null ? null : titleText(text, known)
}

/**
 * Tells whether the language of a changed text is detected again. Several files stay files while the text can still be
 * read as such. If somebody chose their language, one line that starts a file is enough, even if there is a mistake
 * elsewhere.
 */
const isDetectedAgain = ({ language, languageDetected }: Document, text: string): boolean =>
  language === TXTAR ? !(languageDetected ? parseArchive(text) : hasHeaderLine(text)) : languageDetected

type LanguagePlan = Pick<DocumentWrite, 'language' | 'languageChosen' | 'languageDetected'>

async function planLanguage(
  document: Document,
  edit: Edit,
  { text, changed }: ContentPlan,
  title: string | null,
): Promise<LanguagePlan> {
  const { language } = edit
  if (language === undefined) {
    const ofFileName = title === null ? null : findLanguageOfTitle(title)
    const isNew = changed || (ofFileName !== null && title !== document.givenTitle)
    if (isNew && text !== null && isDetectedAgain(document, text)) {
      const ofName = ofFileName === null ? findLanguageOfFile(document.name ?? '') : null
      const detected = await resolveLanguage(ofName ?? AUTO, text, title ?? undefined)
      return { language: detected, languageChosen: true, languageDetected: true }
    }
    const { languageChosen, languageDetected } = document
    const isNamed = edit.title === undefined || languageChosen
    const ofTitle = (title && findLanguageOfTitle(title)) ?? SETTINGS.language.default
    return { language: isNamed ? document.language : ofTitle, languageChosen, languageDetected }
  }
  // Clients send back the settings that they have read, which chooses nothing.
  const isSame = language === document.language
  return {
    language:
      language === AUTO && text === null
        ? document.language
        : await resolveLanguage(language, text, title ?? undefined),
    languageChosen: edit.languageChosen ?? (document.languageChosen || !isSame),
    languageDetected: edit.languageDetected ?? (language === AUTO || (isSame && document.languageDetected)),
  }
}

async function planEditorIds(
  store: DocumentStore,
  document: Document,
  { editors, editorIds }: Edit,
  viewer: Viewer,
): Promise<readonly string[]> {
  if (document.creator !== null && isCreator(document, viewer)) {
    if (editorIds) return editorIds
    if (editors) return (await requireEditors(store, editors, document.creator)).map((editor) => editor.id)
  }
  return document.editors.map((editor) => editor.id)
}

async function planProof(
  { encrypted, claim, proofHash }: Document,
  { burnAfterReading }: { burnAfterReading: boolean },
  { password, claimHash }: Edit,
  { stored, changed }: ContentPlan,
): Promise<{ readonly claim: Claim | null; readonly proofHash: string | null }> {
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

/** @throws AppError `bad_request` if the edit has neither the password nor a claim hash. */
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

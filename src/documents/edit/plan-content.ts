import { encryptedContentNotEditable, issueAt } from '../../errors.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from '../../shared/encryption/jwe.ts'
import type { StoredContent } from '../content/stored-content.ts'
import type { IncomingContent } from '../model/content.ts'
import type { Document } from '../model/document.ts'
import { looksGenerated } from '../model/ids.ts'

/** The part of an edit that concerns content. */
export interface ContentEdit {
  readonly content?: IncomingContent | undefined
  /** The password of an encrypted document, before and after the edit. */
  readonly password?: string | undefined
  /** Proves the password of an encrypted document, before the edit, without revealing it. */
  readonly claimToken?: string | undefined
}

/** The content of a document after an edit. */
export interface ContentPlan {
  /** What KV stores after the edit: the text or the JWE. */
  readonly stored: string
  readonly contentBytes: number
  readonly changed: boolean
  /** The text after the edit; null if the service doesn't know it. */
  readonly text: string | null
}

/**
 * Returns the content after the edit. Reads the current content only if the edit depends on it.
 *
 * @throws AppError `bad_request` for a wrong password, or an encrypted document without one, and what
 * `currentContent` throws.
 */
export async function planContent(
  document: Document,
  currentContent: StoredContent,
  { content, password }: ContentEdit,
): Promise<ContentPlan> {
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

/** A generated password keeps its low iteration count; any other gets the maximum. */
function chooseIterations(currentJwe: string, password: string): number {
  const { iterations } = parseJwe(currentJwe).header
  return iterations === GENERATED_PASSWORD_ITERATIONS && looksGenerated(password)
    ? GENERATED_PASSWORD_ITERATIONS
    : CHOSEN_PASSWORD_ITERATIONS
}

import type { CreateSettings, Document, DocumentInfo } from './client/types.ts'
import { toCliError } from './describe-error.ts'
import { CliError, Interrupted } from './exit-codes.ts'
import type { ChosenPassword } from './passwords.ts'
import type { CommandContext, Session } from './session.ts'
import { rememberDocument } from './storage/remembered-documents.ts'
import type { Input } from './terminal/read-input.ts'
import { upload } from './terminal/upload.ts'

export interface Sharing {
  readonly context: CommandContext
  readonly session: Session
  readonly settings: CreateSettings
  readonly password: ChosenPassword | null
}

export interface Upload {
  /** The text, or its JWE. */
  readonly content: string
  readonly settings: CreateSettings
}

export interface Shared {
  /** Without the password. */
  readonly url: string
  readonly password: string | null
  readonly token: string | null
  readonly getInfo: () => Promise<DocumentInfo>
  readonly remember: () => Promise<void>
}

const withoutContent = ({ content: _, ...info }: Document): DocumentInfo => info

export async function uploadWithKey(
  { context, session }: Sharing,
  { content, settings }: Upload,
): Promise<Shared> {
  const { document, password } = await upload(context, (options) =>
    session.client.createDocument(
      {
        content,
        // As on the site, the account's defaults apply, such as encryption or an early expiry.
        infer_settings: true,
        ...(Object.keys(settings).length > 0 && { settings }),
      },
      options,
    ),
  )
  return {
    url: document.links.formatted,
    password,
    token: null,
    getInfo: async () => withoutContent(document),
    remember: async () => {},
  }
}

/** Uploads as curl does: servers take settings without an account there, but not in their API. */
export async function uploadWithoutKey(
  { context, session, password }: Sharing,
  { fileName, size }: Input,
  { content, settings }: Upload,
): Promise<Shared> {
  const { terminal } = context
  const { client, server } = session
  const { id, link, token, expiration } = await upload(context, (options) =>
    client.shareText(content, settings, options),
  )
  return {
    url: link,
    password: null,
    token,
    // An edit that changes nothing. Unlike a read, it counts no view and burns nothing.
    getInfo: async () =>
      withoutContent((await client.editDocument({ id }, { token, signal: terminal.signal })).document),
    remember: async () => {
      if (token === null) return
      await rememberDocument(terminal, {
        server,
        id,
        token,
        title: password ? null : (settings.title ?? fileName),
        size,
        createdAt: terminal.now(),
        expiresAt: Date.parse(expiration),
      })
    },
  }
}

/** If the server can't be asked, the error contains the link. */
export async function requireInfo({ getInfo, remember }: Shared, link: string): Promise<DocumentInfo> {
  try {
    return await getInfo()
  } catch (error) {
    await remember()
    const known =
      error instanceof Interrupted ? new CliError('interrupted', 'Interrupted') : toCliError(error)
    if (!known) throw error
    throw new CliError(known.ending, `${known.message}. The text is shared at ${link}`)
  }
}

import type { output } from 'zod/v4/core'
import { authorizeCreate, authorizeSettings } from '../accounts/authorization.ts'
import type { User } from '../accounts/user.ts'
import type { NewDocument } from '../documents/create/create.ts'
import type { IdempotentRequest } from '../documents/encryption/idempotency-key.ts'
import type { AppContext } from '../env.ts'
import { humanCheckNeeded } from '../errors.ts'
import { requireGistPermission } from '../gists/gist-permission.ts'
import { readIdempotentRequest } from '../http/idempotency-key.ts'
import { checkBeforeAsking } from '../http/identity/ask-alongside.ts'
import { readApiKey } from '../http/identity/credential.ts'
import { infersSettings } from './infers-settings.ts'
import { dropIgnoredSettings, toNewDocument, usesRestrictedSettings } from './requests.ts'
import type { CreateSettings, createBody } from './schemas/schemas.ts'

type CreateBody = output<typeof createBody>

/** Returns the account that creates a document; null without one. Throws `unauthorized` if only accounts may. */
export async function requireAuthor(c: AppContext): Promise<User | null> {
  const { config, identity } = c.var
  const user = await identity.require()
  authorizeCreate(user, config.anonymousDocuments)
  if (!user && config.abuse.turnstile) throw humanCheckNeeded()
  return user
}

/**
 * Returns what a body asks to create, for `createDocument`.
 *
 * With an API key, the author is an account or refused. So for most creates, the lookup goes on while the content is
 * stored, which is deleted if the author turns out to be refused.
 *
 * @throws AppError what `requireAuthor` throws, then `bad_request` and `bad_auth`.
 */
export async function prepareCreate(c: AppContext, body: CreateBody): Promise<PreparedCreate> {
  const asking = requireAuthor(c)
  const needsAuthor =
    readApiKey(c) === undefined ||
    infersSettings(body) ||
    body.settings?.create_gist ||
    c.req.header('Idempotency-Key') !== undefined
  if (needsAuthor) return prepareFor(c, body, await asking)
  const settings = body.settings ?? {}
  const input = await checkBeforeAsking(
    () => toInput(c, body, settings),
    () => asking,
  )
  const creator = asking.then((author) => {
    authorizeSettings(author, usesRestrictedSettings(settings, 'refuse'))
    return author
  })
  // The code that awaits it gets the error.
  creator.catch(() => {})
  return { input, creator, idempotent: null }
}

interface PreparedCreate {
  readonly input: NewDocument
  readonly creator: User | null | Promise<User | null>
  readonly idempotent: IdempotentRequest | null
}

const toInput = (c: AppContext, body: CreateBody, settings: CreateSettings): NewDocument => ({
  ...toNewDocument(body.content, settings, c.var),
  duplicatedFrom: body.duplicated_from ?? null,
})

async function prepareFor(c: AppContext, body: CreateBody, creator: User | null): Promise<PreparedCreate> {
  const { config, store } = c.var
  const policy = creator ? 'refuse' : config.anonymousSettings
  const sent = dropIgnoredSettings(body.settings ?? {}, policy)
  const infer = infersSettings(body)
  const settings = infer
    ? await (await import('./infer-settings.ts')).inferSettings(store.db, creator?.id ?? null, sent)
    : sent
  const input = toInput(c, body, settings)
  authorizeSettings(creator, usesRestrictedSettings(settings, policy))
  if (settings.create_gist) await requireGistPermission(store.db, config.authSecret, creator?.id ?? null)
  const duplicated_from = body.duplicated_from ?? undefined
  const idempotent = readIdempotentRequest(c, creator, { ...sent, infer, duplicated_from })
  return { input, creator, idempotent }
}

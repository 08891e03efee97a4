import { Hono } from 'hono'
import type { output } from 'zod/v4/core'
import type { User } from '../accounts/user.ts'
import type { AnonymousSettings, Config } from '../config.ts'
import { joinFiles, toContent } from '../documents/content.ts'
import { createDocument, type NewDocument } from '../documents/create.ts'
import { deleteDocument } from '../documents/delete.ts'
import {
  getDefaultExpiry,
  getOriginal,
  holdsToken,
  isCreator,
  mayEdit,
  parseExpiration,
} from '../documents/document.ts'
import { editDocument } from '../documents/edit.ts'
import type { Edit } from '../documents/edit-plan.ts'
import {
  burnsFor,
  deliver,
  documentAt,
  needsProof,
  requireDocument,
  requireFound,
} from '../documents/read.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { documentNotFound, editNotAllowed, passwordRequired, unauthorized } from '../errors.ts'
import { canCreateGists } from '../gists/gist-permission.ts'
import { checkIfMatch, documentHeaders, isFresh } from '../http/answers.ts'
import { findDocumentOnPrimary, findDocumentToRead } from '../http/find-document.ts'
import { publishNewGist } from '../http/gists.ts'
import { readIdempotentRequest } from '../http/idempotency.ts'
import {
  checkBeforeAsking,
  hasCredential,
  isFromThisSite,
  NOTHING,
  readDocumentPassword,
  readDocumentToken,
  requireManager,
} from '../http/identity.ts'
import { limitAttempts, limitDelivery, limitEditors } from '../http/limits.ts'
import { authorizeSettings, findAccountOption, requireAuthor } from '../http/permissions.ts'
import { logDocument } from '../http/request-log.ts'
import type { Instant } from '../shared/instant.ts'
import {
  CHOSEN_FLAGS,
  EDITABLE_FLAGS,
  FIXED_SETTINGS,
  isEditable,
  mapFlags,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../shared/settings.ts'
import { loadSchemas, readJsonBody } from './json-bodies.ts'
import { documentResponse, jsonResponse, success } from './responses.ts'
import type { CreateSettingsBody, createBody, EditSettingsBody, editBody } from './schemas.lazy.ts'

const ifPresent = <Value>(value: Value): NonNullable<Value> | undefined => value ?? undefined

const IGNORED = SETTING_NAMES.filter((name) => SETTINGS[name].anonymous === 'ignore')

function dropIgnoredSettings(settings: CreateSettingsBody, policy: AnonymousSettings): CreateSettingsBody {
  if (policy !== 'ignore-cosmetic') return settings
  const kept = { ...settings }
  for (const name of IGNORED) delete kept[name]
  return kept
}

function isDefault(name: SettingName, value: unknown): boolean {
  if (value === undefined || value === SETTINGS[name].default) return true
  // `expiration: null` means never.
  if (name === 'expiration') return false
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Lists the settings that the API refuses without an account, besides those that take one everywhere. */
const RESTRICTED: Readonly<Record<AnonymousSettings, readonly SettingName[]>> = {
  refuse: SETTING_NAMES,
  'ignore-cosmetic': SETTING_NAMES.filter((name) => SETTINGS[name].anonymous === 'refuse'),
  allow: [],
}

/** Describe the new content of a document that is already encrypted, so they don't count as using settings. */
const ABOUT_CONTENT: readonly SettingName[] = ['client_encrypted', 'claim_hash']
const EDITABLE = SETTING_NAMES.filter((name) => isEditable(name) && !ABOUT_CONTENT.includes(name))

/** Any expiration counts: leaving it out changes nothing. */
const usesEditSettings = (settings: EditSettingsBody): boolean =>
  settings.expiration !== undefined ||
  EDITABLE.some((name) => !isDefault(name, settings[name])) ||
  // Clients send back the `encrypted` that they read.
  FIXED_SETTINGS.some((name) => name !== 'encrypted' && Boolean(settings[name]))

type CreateBody = output<typeof createBody>

/** @throws AppError `bad_request` and `content_too_large` for errors that the body alone shows. */
function toNewDocument(
  { content = '', files, duplicated_from: duplicatedFrom }: CreateBody,
  settings: CreateSettingsBody,
  { config, now }: { config: Config; now: Instant },
): NewDocument {
  const { expiration } = settings
  const clientEncrypted = settings.client_encrypted === true
  const joined = files && joinFiles(files, settings.language)
  // The name of an encrypted file could reveal what the text is.
  const fileName = settings.encrypted ? null : (joined?.name ?? null)
  return {
    ...mapFlags(CHOSEN_FLAGS, (name) => settings[name] ?? SETTINGS[name].default),
    content: toContent(joined?.content ?? content, clientEncrypted, config.maxContentBytes),
    duplicatedFrom: duplicatedFrom ?? null,
    language: (joined ? joined.language : settings.language) ?? null,
    languageDetected: joined?.languageDetected,
    title: settings.title ?? fileName,
    name: settings.name || null,
    expiresAt: expiration === undefined ? getDefaultExpiry(now) : parseExpiration(expiration, now),
    idLength: settings.short_urls ? 'short' : settings.long_urls ? 'long' : 'standard',
    encryption: settings.encrypted && !clientEncrypted ? { password: settings.password || null } : null,
    claimHash: settings.claim_hash ?? null,
    editors: settings.editors ?? [],
    gist: settings.create_gist ?? false,
  }
}

type EditBody = output<typeof editBody>

/** @throws AppError `bad_request` and `content_too_large` for errors that the body alone shows. */
function toEdit(
  { content: sentContent, files, password, claim_token: claimToken, settings: sent }: EditBody,
  { config, now }: { config: Config; now: Instant },
): Edit {
  const settings = sent ?? {}
  const { expiration } = settings
  const clientEncrypted = settings.client_encrypted === true
  const joined = files && joinFiles(files, settings.language)
  const content = joined ? joined.content : sentContent
  return {
    ...mapFlags(EDITABLE_FLAGS, (name) => ifPresent(settings[name])),
    content:
      content === undefined || content === null
        ? undefined
        : toContent(content, clientEncrypted, config.maxContentBytes),
    password: password || undefined,
    claimToken: ifPresent(claimToken),
    language: joined ? joined.language : ifPresent(settings.language),
    languageDetected: joined?.languageDetected,
    title: ifPresent(settings.title),
    name: ifPresent(settings.name),
    fileName: joined?.name,
    expiresAt: expiration === undefined ? undefined : parseExpiration(expiration, now),
    editors: ifPresent(settings.editors),
    clientEncrypted,
    claimHash: ifPresent(settings.claim_hash),
    fixedSettings: Object.fromEntries(FIXED_SETTINGS.map((name) => [name, settings[name]])),
  }
}

async function prepareCreate(c: AppContext, body: CreateBody, creator: User | null) {
  const { anonymousSettings, authSecret } = c.var.config
  const { db } = c.var.store
  const all = body.settings ?? {}
  const sent = creator ? all : dropIgnoredSettings(all, anonymousSettings)
  const { inferSettings, infersSettings } = await loadSchemas()
  const infer = infersSettings(body)
  const settings = infer ? await inferSettings(db, creator?.id ?? null, sent) : sent
  const input = toNewDocument(body, settings, c.var)
  // Settings take a confirmed account. The operator may allow some without one.
  const restricted = creator ? SETTING_NAMES : RESTRICTED[anonymousSettings]
  const isRestricted = restricted.some((name) => !isDefault(name, settings[name]))
  authorizeSettings(creator, isRestricted || findAccountOption(creator, input, c.var) !== null)
  // Old clients send it with every document. Without a gist, the document has lost no protection.
  const gist = input.gist && creator !== null && (await canCreateGists(db, authSecret, creator.id))
  const duplicated_from = body.duplicated_from ?? undefined
  // What the content alone doesn't tell.
  const file = body.files?.length === 1 ? body.files[0] : undefined
  const named = { file_name: file?.name, file_language: file?.language ?? undefined }
  const idempotent = readIdempotentRequest(c, creator, { ...sent, infer, duplicated_from, ...named })
  return { input: { ...input, gist }, idempotent }
}

export const documents = new Hono<AppEnv>()
  .post('/', async (c) => {
    const { config, now, store } = c.var
    const creator = await requireAuthor(c)
    const { input, idempotent } = await prepareCreate(c, await readJsonBody(c, 'createBody'), creator)
    const created = await createDocument(store, input, { creator, idempotent, now })
    logDocument(c, created.document.id)
    const { document, content, password, token } = created
    const gistUrl = input.gist ? (document.gistUrl ?? (await publishNewGist(c, document.id))) : null
    return documentResponse(c, {
      document: { ...document, gistUrl },
      content,
      // A repeated create answers with a document that may have been read.
      views: store.views.current(document.id, document.views),
      token,
      // Old clients put the password that they chose into the link, from this answer.
      password: password ?? (config.legacyClients ? (input.encryption?.password ?? null) : null),
    })
  })
  .patch('/', async (c) => {
    const { now, store } = c.var
    // Before the body is read.
    if (!hasCredential(c) && readDocumentToken(c) === undefined) throw unauthorized()
    const { body, edit } = await checkBeforeAsking(
      async () => {
        const body = await readJsonBody(c, 'editBody')
        return { body, edit: toEdit(body, c.var) }
      },
      () => requireManager(c, NOTHING),
    )
    const settings = body.settings ?? {}
    const { user, viewer, found } = await requireManager(c, documentAt(body.id, now))
    const document = requireFound(found)
    logDocument(c, document.id)
    // A limit would tell others that there is the document.
    if (!mayEdit(document, viewer)) throw editNotAllowed()
    // The holder of the document's token needs no confirmed account to use settings.
    if (user && !holdsToken(document, viewer)) authorizeSettings(user, usesEditSettings(settings))
    // Without content, the answer tells whether a claim hash is the present one, so it's a guess of the password, too.
    const provesByHash = !body.content && !body.files && settings.claim_hash
    if (body.password || body.claim_token || provesByHash) await limitAttempts(c, document.id)
    const edited = await editDocument(store, document, edit, {
      viewer,
      now,
      checkPrecondition: checkIfMatch(c.req.header('If-Match')),
      ...(user && { limitEditors: () => limitEditors(c, user) }),
    })
    const views = store.views.current(document.id, edited.document.views)
    return documentResponse(c, { ...edited, views })
  })
  .get('/:id', async (c) => {
    const { now, store } = c.var
    const { document, viewer } = await findDocumentToRead(c, c.req.param('id'))
    const proof = { password: readDocumentPassword(c, document) }
    if (isFresh(c.req.header('If-None-Match'), document, 'json')) {
      return jsonResponse(c, null, { status: 304, headers: documentHeaders(document, 'json') })
    }
    if (c.req.method === 'HEAD') {
      if (needsProof(document, burnsFor(document, viewer), proof)) throw passwordRequired()
      return jsonResponse(c, {}, { headers: documentHeaders(document, 'json') })
    }
    await limitDelivery(c, document, { viewer, proof })
    // The page of an encrypted document asks for it, also for its creator.
    const counts = isFromThisSite(c) !== true || !isCreator(document, viewer)
    const delivery = await deliver(store, document, { viewer, proof, now, counts })
    return documentResponse(c, { ...delivery, original: getOriginal(document, { viewer, now }) })
  })
  .delete('/:id', async (c) => {
    const { now, store } = c.var
    const address = c.req.param('id')
    const { viewer, found } = await requireManager(c, documentAt(address, now))
    await deleteDocument(store, { address, found, viewer, now })
    return c.var.config.legacyClients ? jsonResponse(c, success({})) : jsonResponse(c, null, { status: 204 })
  })
  .get('/:id/claim', async (c) => {
    const { claim } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    if (!claim) throw documentNotFound()
    return jsonResponse(c, success({ header: claim.header }), { headers: { 'Cache-Control': 'no-store' } })
  })
  .post('/:id/claim', async (c) => {
    const { now, store } = c.var
    const { token } = await readJsonBody(c, 'claimBody')
    const { document, viewer } = await findDocumentOnPrimary(c, c.req.param('id'))
    const proof = { claimToken: token }
    await limitDelivery(c, document, { viewer, proof })
    return documentResponse(c, await deliver(store, document, { viewer, proof, now }))
  })

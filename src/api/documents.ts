import { Hono } from 'hono'
import { authorizeCreate, authorizeSettings } from '../accounts/authorization.ts'
import { createDocument } from '../documents/create/create.ts'
import { removeDocument } from '../documents/delete.ts'
import { editDocument } from '../documents/edit/edit.ts'
import { findOriginal } from '../documents/find-original.ts'
import { type Document, holdsToken } from '../documents/model/document.ts'
import { burnsFor, deliver, needsProof, requireDocument } from '../documents/read.ts'
import type { AppEnv } from '../env.ts'
import { documentNotFound, humanCheckNeeded, passwordRequired } from '../errors.ts'
import { requireGistPermission } from '../gists/gist-permission.ts'
import { publishNewGist } from '../gists/publish-new-gist.ts'
import { checkIfMatch, documentHeaders, isFresh } from '../http/answers/conditional-requests.ts'
import { findDocumentToRead } from '../http/find-document.ts'
import { getGistPublisher } from '../http/gist-publisher.ts'
import { readIdempotentRequest } from '../http/idempotency-key.ts'
import { readDocumentPassword } from '../http/identity/document-password.ts'
import { findViewer } from '../http/identity/document-token.ts'
import { requireViewer } from '../http/identity/identify.ts'
import { limitAttempts, limitDelivery } from '../http/limits/delivery.ts'
import { jsonBody } from './bodies/body.ts'
import { infersSettings } from './infers-settings.ts'
import {
  dropIgnoredSettings,
  toEdit,
  toNewDocument,
  usesEditSettings,
  usesRestrictedSettings,
} from './requests.ts'
import { documentResponse, jsonResponse, success } from './responses.ts'

export const documents = new Hono<AppEnv>()
  .post(
    '/',
    async (c, next) => {
      const user = await c.var.identity.require()
      authorizeCreate(user, c.var.config.anonymousDocuments)
      if (!user && c.var.config.abuse.turnstile) throw humanCheckNeeded()
      await next()
    },
    jsonBody('createBody'),
    async (c) => {
      const { config, identity, now, store } = c.var
      const creator = await identity.require()
      const body = c.req.valid('json')
      const policy = creator ? 'refuse' : config.anonymousSettings
      const sent = dropIgnoredSettings(body.settings ?? {}, policy)
      const settings = infersSettings(body)
        ? await (await import('./infer-settings.ts')).inferSettings(store.db, creator?.id ?? null, sent)
        : sent
      const duplicatedFrom = body.duplicated_from ?? null
      const input = { ...toNewDocument(body.content, settings, { config, now }), duplicatedFrom }
      authorizeSettings(creator, usesRestrictedSettings(settings, policy))
      if (settings.create_gist) await requireGistPermission(store.db, config.authSecret, creator?.id ?? null)
      const idempotent = readIdempotentRequest(c, creator, {
        ...sent,
        infer: infersSettings(body),
        duplicated_from: duplicatedFrom ?? undefined,
      })
      const { document, content, password, token } = await createDocument(store, input, {
        creator,
        now,
        idempotent,
      })
      const gistUrl = input.gist
        ? (document.gistUrl ?? (await publishNewGist(getGistPublisher(c), document.id, store.defer)))
        : null
      return documentResponse(c, {
        document: { ...document, gistUrl },
        content,
        views: store.views.current(document.id, document.views),
        token,
        password,
      })
    },
  )
  .patch('/', requireViewer, jsonBody('editBody'), async (c) => {
    const { config, now, store, user, viewer } = c.var
    const { id, content, password, claim_token: claimToken, settings } = c.req.valid('json')
    const edit = toEdit({ content, password, claimToken, settings: settings ?? {} }, { config, now })
    const usesSettings = usesEditSettings(settings ?? {})
    const checkVersion = checkIfMatch(c.req.header('If-Match'))
    if (password) await limitAttempts(c, id)
    if (user && viewer.tokenHash === null) authorizeSettings(user, usesSettings)
    const checkPrecondition = (document: Document) => {
      // The holder of the document's token needs no confirmed account to use settings.
      if (!holdsToken(document, viewer)) authorizeSettings(user, usesSettings)
      checkVersion(document)
    }
    const edited = await editDocument(store, id, edit, { viewer, now, checkPrecondition })
    const views = store.views.current(id, edited.document.views)
    return documentResponse(c, { ...edited, views })
  })
  .get('/:id', async (c) => {
    const { now, store } = c.var
    const viewer = () => findViewer(c)
    const document = await findDocumentToRead(c, c.req.param('id'))
    const proof = { password: readDocumentPassword(c, document) }
    if (isFresh(c.req.header('If-None-Match'), document, 'json')) {
      return jsonResponse(c, null, { status: 304, headers: documentHeaders(document, 'json') })
    }
    if (c.req.method === 'HEAD') {
      if (needsProof(document, await burnsFor(document, viewer), proof)) throw passwordRequired()
      return jsonResponse(c, {}, { headers: documentHeaders(document, 'json') })
    }
    await limitDelivery(c, document, proof)
    const [delivery, original] = await Promise.all([
      deliver(store, document, { viewer, proof, now }),
      findOriginal(store, document, { viewer, now }),
    ])
    return documentResponse(c, { ...delivery, original })
  })
  .delete('/:id', requireViewer, async (c) => {
    const { now, store, viewer } = c.var
    await removeDocument(store, c.req.param('id'), { viewer, now })
    return c.var.config.legacyClients ? jsonResponse(c, success({})) : jsonResponse(c, null, { status: 204 })
  })
  .get('/:id/claim', async (c) => {
    const { claim } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    if (!claim) throw documentNotFound()
    return jsonResponse(c, success({ header: claim.header }), { headers: { 'Cache-Control': 'no-store' } })
  })
  .post('/:id/claim', jsonBody('claimBody'), async (c) => {
    const { now, store } = c.var
    const document = await requireDocument(store, c.req.param('id'), now)
    const proof = { claimToken: c.req.valid('json').token }
    const viewer = () => findViewer(c)
    await limitDelivery(c, document, proof)
    return documentResponse(c, await deliver(store, document, { viewer, proof, now }))
  })

import { Hono } from 'hono'
import { authorizeSettings } from '../accounts/authorization.ts'
import { createDocument } from '../documents/create/create.ts'
import { removeDocument } from '../documents/delete.ts'
import { editDocument } from '../documents/edit/edit.ts'
import { type Document, getOriginal, holdsToken } from '../documents/model/document.ts'
import { burnsFor, deliver, needsProof, requireDocument } from '../documents/read.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { documentNotFound, passwordRequired } from '../errors.ts'
import { publishNewGist } from '../gists/publish-new-gist.ts'
import { checkIfMatch, documentHeaders, isFresh } from '../http/answers/conditional-requests.ts'
import { findDocumentToChange, findDocumentToRead } from '../http/find-document.ts'
import { getGistPublisher } from '../http/gist-publisher.ts'
import { checkBeforeAsking, requireViewer } from '../http/identity/ask-alongside.ts'
import { readApiKey } from '../http/identity/credential.ts'
import { readDocumentPassword } from '../http/identity/document-password.ts'
import { findViewer } from '../http/identity/document-token.ts'
import { requireCredential } from '../http/identity/identify.ts'
import { limitAttempts, limitDelivery } from '../http/limits/delivery.ts'
import { jsonBody } from './bodies/body.ts'
import { prepareCreate, requireAuthor } from './prepare-create.ts'
import { toEdit, usesEditSettings } from './requests.ts'
import { documentResponse, jsonResponse, success } from './responses.ts'

/** Reports an invalid credential before anything that is wrong with the body. */
const requireKnownViewer = (c: AppContext) => requireViewer(c, async () => null)

export const documents = new Hono<AppEnv>()
  .post(
    '/',
    async (c, next) => {
      // With a key, the account is looked up while the content is stored.
      if (readApiKey(c) === undefined) await requireAuthor(c)
      await next()
    },
    jsonBody('createBody', requireAuthor),
    async (c) => {
      const { now, store } = c.var
      const { input, ...context } = await prepareCreate(c, c.req.valid('json'))
      const created = await createDocument(store, input, { ...context, now })
      const { document, content, password, token } = created
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
  .patch('/', requireCredential, jsonBody('editBody', requireKnownViewer), async (c) => {
    const { config, now, store } = c.var
    const { id, content, password, claim_token: claimToken, settings } = c.req.valid('json')
    const usesSettings = usesEditSettings(settings ?? {})
    const { edit, checkVersion } = await checkBeforeAsking(
      async () => {
        const edit = toEdit({ content, password, claimToken, settings: settings ?? {} }, { config, now })
        const checkVersion = checkIfMatch(c.req.header('If-Match'))
        // Without content, the answer tells whether a claim hash is the present one, so it's a guess of the password, too.
        const provesByHash = !content && settings?.claim_hash
        if (password || claimToken || provesByHash) await limitAttempts(c, id)
        return { edit, checkVersion }
      },
      () => requireKnownViewer(c),
    )
    const { user, viewer, found } = await requireViewer(c, () => requireDocument(store, id, now))
    if (user && viewer.tokenHash === null) authorizeSettings(user, usesSettings)
    const checkPrecondition = (document: Document) => {
      // The holder of the document's token needs no confirmed account to use settings.
      if (!holdsToken(document, viewer)) authorizeSettings(user, usesSettings)
      checkVersion(document)
    }
    const edited = await editDocument(store, await found, edit, { viewer, now, checkPrecondition })
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
      getOriginal(document, { findViewer: viewer, now }),
    ])
    return documentResponse(c, { ...delivery, original })
  })
  .delete('/:id', async (c) => {
    const { now, store } = c.var
    const { viewer, found } = await requireViewer(c, () => requireDocument(store, c.req.param('id'), now))
    await removeDocument(store, await found, { viewer, now })
    return c.var.config.legacyClients ? jsonResponse(c, success({})) : jsonResponse(c, null, { status: 204 })
  })
  .get('/:id/claim', async (c) => {
    const { claim } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    if (!claim) throw documentNotFound()
    return jsonResponse(c, success({ header: claim.header }), { headers: { 'Cache-Control': 'no-store' } })
  })
  .post('/:id/claim', jsonBody('claimBody'), async (c) => {
    const { now, store } = c.var
    const document = await findDocumentToChange(c, c.req.param('id'))
    const proof = { claimToken: c.req.valid('json').token }
    const viewer = () => findViewer(c)
    await limitDelivery(c, document, proof)
    return documentResponse(c, await deliver(store, document, { viewer, proof, now }))
  })

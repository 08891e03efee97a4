import { Hono } from 'hono'
import type { HeldDocument } from '../../documents/held-documents.ts'
import { takeDocuments } from '../../documents/take.ts'
import type { AppEnv } from '../../env.ts'
import { accountNotConfirmed } from '../../errors.ts'
import { limitBody } from '../../http/bodies/body-limit.ts'
import { expiredDocumentTokenCookie } from '../../http/identity/document-token.ts'
import { requireSessionUser } from '../../http/identity/require-session.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { answer } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFieldLists } from '../layout/form.ts'
import { page } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { formatError } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'

/** Enough for the ids and tokens of `MAX_DEVICE_DOCUMENTS`. */
const MAX_FORM_BYTES = 32 * 1024

const loadDownload = () => import('../download/device-download.tsx')

const JSON_HEADERS = { ...PRIVATE_HEADERS, 'Content-Type': 'application/json; charset=utf-8' }

/** Parses a document of the form: its id and its token, with a full stop between them. */
function parseHeldDocument(field: string): HeldDocument {
  const [id = '', token = ''] = field.split('.')
  return { id, token }
}

/** The documents that this browser created without an account. */
export const device = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', async (c) => {
    const user = c.var.hasSessionCookie ? await c.var.identity.session() : null
    const deleted = c.req.query('deleted') !== undefined
    // Reading a document doesn't need this page.
    const { DevicePage } = await import('./device-page.tsx')
    return page(c, <DevicePage signedIn={user !== null} deleted={deleted} />, { headers: PRIVATE_HEADERS })
  })
  // Adds documents to the account. A script sends this once the user agrees.
  .post('/', limitBody(MAX_FORM_BYTES), (c) =>
    submitForm(c, {
      submit: async () => {
        const user = await requireSessionUser(c)
        if (!user.confirmed) throw accountNotConfirmed()
        const held = ((await readFieldLists(c)).get('document') ?? []).map(parseHeldDocument)
        const ids = await takeDocuments(c.var.store, held, { creator: user, now: c.var.now })
        const response = answer(c, JSON.stringify({ ids }), { headers: JSON_HEADERS })
        // Their tokens don't work any more.
        for (const id of ids) response.headers.append('Set-Cookie', expiredDocumentTokenCookie(c, id))
        return response
      },
      showAgain: (error, { status, headers }) =>
        answer(c, JSON.stringify({ message: formatError(error) }), {
          status,
          headers: { ...headers, ...JSON_HEADERS },
        }),
    }),
  )
  // Downloads documents, in two steps: a page with one button for each part, and the part.
  .post('/download', requireThisSite, limitBody(MAX_FORM_BYTES), async (c) =>
    (await loadDownload()).showDeviceDownload(c),
  )
  .post('/download/zip', requireThisSite, limitBody(MAX_FORM_BYTES), async (c) =>
    (await loadDownload()).downloadDeviceZip(c),
  )

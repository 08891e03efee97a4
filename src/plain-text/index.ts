import { Hono, type Next } from 'hono'
import type { AppContext, AppEnv } from '../env.ts'
import { methodNotAllowed, routeNotFound, toAppError } from '../errors.ts'
import {
  acceptsMarkdown,
  answer,
  answerErrorText,
  errorOptions,
  logServerFault,
  wantsText,
} from '../http/answers.ts'
import { answerDocumentText, answerFileText } from '../http/document-text.ts'
import { isFromThisSite } from '../http/identity.ts'
import { isHastePath, putsToDocument, putsToName } from '../http/paths.ts'
import { isDocumentAddress, toAddress } from '../shared/document-ids.ts'

/** Haste clients expect errors in JSON. */
export const isHaste = (c: AppContext): boolean => isFromThisSite(c) === null && isHastePath(c.req)

export function answerHasteError(thrown: unknown, c: AppContext): Response {
  const error = toAppError(thrown)
  logServerFault(c, error)
  const { status, headers } = errorOptions(error)
  return answer(c, JSON.stringify({ message: error.message }), {
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
}

/** Errors of the site's handlers don't come here. */
const answerInText = async (c: AppContext, answer: () => Promise<Response>): Promise<Response> => {
  try {
    return await answer()
  } catch (error) {
    return isHaste(c) ? answerHasteError(error, c) : answerErrorText(error, c)
  }
}

/**
 * Tells whether a program sent the request. A browser's requests go to the site, so no page of another site can use the
 * cookies of its visitors here.
 */
const isFromProgram = (c: AppContext): boolean => isFromThisSite(c) === null

const usesText = (c: AppContext): boolean => isFromProgram(c) && wantsText(c)

/** Old browsers send forms without saying from where, but with the types that they accept. .NET says neither. */
const sendsText = (c: AppContext): boolean =>
  isFromProgram(c) &&
  (wantsText(c) ||
    c.req.header('Accept') === undefined ||
    !/form/.test(c.req.header('Content-Type') ?? 'form'))

type Requests = typeof import('./requests.lazy.ts')

/** Loads the handlers of all writes, which reading a document doesn't need. */
const loadRequests = () => import('./requests.lazy.ts')

const answerRequest = async (c: AppContext, name: keyof Requests): Promise<Response> =>
  (await loadRequests())[name](c)

const answerIf =
  (applies: (c: AppContext) => boolean, name: keyof Requests) =>
  async (c: AppContext, next: Next): Promise<Response | undefined> => {
    if (applies(c)) return answerInText(c, () => answerRequest(c, name))
    await next()
  }

const refuseMethod =
  (allow: string) =>
  async (c: AppContext, next: Next): Promise<Response | undefined> => {
    if (usesText(c)) return answerInText(c, () => Promise.reject(methodNotAllowed(allow)))
    await next()
  }

export const plainText = new Hono<AppEnv>()
  .get('/', answerIf(wantsText, 'answerManual'))
  .get('/llms.txt', (c) => answerRequest(c, 'answerLlmsTxt'))
  .get('/skill.md', (c) => answerRequest(c, 'answerSkill'))
  .get('/about', answerIf(acceptsMarkdown, 'answerGuide'))
  .get('/docs', answerIf(acceptsMarkdown, 'answerReference'))
  .post('/', answerIf(sendsText, 'answerCreate'))
  .post('/documents', answerIf(isFromProgram, 'answerHasteCreate'))
  .get('/documents/:address', answerIf(isFromProgram, 'answerHasteRead'))
  .get('/share/:address', (c) =>
    answer(c, null, { status: 301, headers: { Location: `/${encodeURIComponent(c.req.param('address'))}` } }),
  )
  .put('/', answerIf(isFromProgram, 'answerCreate'))
  .put(
    '/:id',
    answerIf((c) => isFromProgram(c) && putsToDocument(c.req), 'answerUpdate'),
  )
  .put(
    '/:id',
    answerIf((c) => isFromProgram(c) && putsToName(c.req), 'answerPutName'),
  )
  .put('/:name', answerIf(isFromProgram, 'answerCreate'))
  .all('/', refuseMethod('GET, HEAD, POST, PUT'))

/** Every address could be a document, so this comes after all fixed paths. */
export const documentTexts = new Hono<AppEnv>()
  .get('/:address', (c, next) =>
    wantsText(c) ? answerInText(c, () => answerDocumentText(c, toAddress(c.req.param('address')))) : next(),
  )
  .get('/:id/:name{.+}', (c, next) =>
    wantsText(c)
      ? answerInText(c, async () => {
          if (!isDocumentAddress(c.req.param('id'))) throw routeNotFound()
          return answerFileText(c, c.req.param())
        })
      : next(),
  )
  .post('/:address', answerIf(usesText, 'answerRead'))
  .delete('/:address', answerIf(isFromProgram, 'answerDelete'))
  .all('/:address', refuseMethod('GET, HEAD, POST, PUT, DELETE'))

import { html, raw } from 'hono/html'
import { createContext, useContext } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import { DEFAULT_SITE, type Site } from '../config.ts'
import type { AppContext } from '../env.ts'
import { type AnswerOptions, answer, type Body } from '../http/answers.ts'
import { getOrigin } from '../http/identity.ts'
import { contentSecurityPolicy } from '../platform/security-headers.ts'
import {
  escapeInBytes,
  generateSlot,
  SLICE_CHARACTERS,
  type SlicedTexts,
  splitSlices,
  streamSliced,
} from '../platform/streaming.ts'
import { type Display, parseDisplayCookie } from '../shared/display.ts'
import { toReference, VERBATIM_TEXT_CHARACTERS } from '../shared/escape.ts'
import { OPEN_SIGN_UP, type SignUp } from '../shared/sign-up.ts'
import { parseThemeCookie, type ThemeName } from '../shared/themes.ts'
import { SCRIPTS } from './assets.generated.ts'

/** Stands in for this site's origin, since only the path matters. */
const ANY_SITE = 'https://site.invalid'

/**
 * The start of a path that a browser or a proxy may read as the start of another host. Browsers ignore tabs and line
 * breaks.
 */
const LEADS_ELSEWHERE = /^\/[\t\n\r]*(\/|\\|%2f|%5c)/i

/**
 * The home page replaces `//host`, `/\host`, absolute URLs, and paths that only become one of these by normalising,
 * such as `/.//host` (URL Standard §4.4).
 */
export function returnPath(candidate: string | undefined): string {
  // The parser takes a time that grows with the square of a host, so it gets none.
  if (!candidate?.startsWith('/') || LEADS_ELSEWHERE.test(candidate)) return '/'
  const { origin, pathname, search, hash } = new URL(candidate, ANY_SITE)
  return origin !== ANY_SITE || LEADS_ELSEWHERE.test(pathname) ? '/' : pathname + search + hash
}

export const YOUR_DOCUMENTS_PATH = '/account/documents'
export const SHARED_DOCUMENTS_PATH = `${YOUR_DOCUMENTS_PATH}?view=shared`
export const EXPLORE_PATH = '/explore'
export const getProfilePath = (username: string): string => `/@${username}`
export const DEVICE_PATH = '/device'

/** Adds a query to a path, without the members that are empty. */
export function buildPath(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`
}

export const getTheme = (c: AppContext): ThemeName => parseThemeCookie(c.req.header('Cookie') ?? '')

/** Scripts know the width of the window. Without them, the name of the browser tells phones apart. */
export const getDisplay = (c: AppContext): Display => ({
  ...parseDisplayCookie(c.req.header('Cookie') ?? ''),
  isNarrow: /\bMobile\b/.test(c.req.header('User-Agent') ?? ''),
})

/** The facts that components of any depth need to know of the page that they are in. */
interface PageContext {
  readonly theme: ThemeName
  /**
   * Includes the query. It's null for the answer to a form, since a GET wouldn't bring it back, and empty for an error
   * page, which shows nothing of an address that anybody can make up.
   */
  readonly path: string | null
  /** The path for the navigation, which shows nothing of it. */
  readonly pathname: string
  /** Has no query, since it is printed; empty for an error page. */
  readonly address: string
  readonly siteUrl: string
  readonly site: Site
  readonly explore: boolean
  readonly signUp: SignUp
  /** Everyone who knows the link may read a document. */
  readonly openToAll: boolean
  readonly readOnly: boolean
  /** Is true if the request has a session cookie, valid or not. */
  readonly signedIn: boolean
  /** The account that a page belongs to; null for pages that are for everyone. */
  readonly accountId: string | null
  readonly maxContentBytes: number
  readonly styleNonce: string
  /** Long texts, in the order of their slots in the page. */
  readonly texts: SlicedTexts['texts'][number][]
}

const Context = createContext<PageContext>({
  theme: 'system',
  path: '',
  pathname: '',
  address: '',
  siteUrl: '',
  site: DEFAULT_SITE,
  explore: false,
  signUp: OPEN_SIGN_UP,
  openToAll: true,
  readOnly: false,
  signedIn: false,
  accountId: null,
  maxContentBytes: 0,
  styleNonce: '',
  texts: [],
})

export const usePage = (): PageContext => useContext(Context)

interface PageOptions extends AnswerOptions {
  /** Allows the script of the page to add styles. */
  readonly styleNonce?: string
}

function describePage(c: AppContext, { status = 200, styleNonce = '' }: PageOptions = {}): PageContext {
  const { method, url } = c.req
  // An error may come before the middleware that sets these.
  const { config, hasSessionCookie = false, siteUrl } = c.var
  const failed = status >= 400
  return {
    theme: getTheme(c),
    path: method !== 'GET' ? null : failed ? '' : url.slice(getOrigin(url).length),
    pathname: c.req.path,
    address: failed ? '' : siteUrl + c.req.path,
    siteUrl,
    site: config?.site ?? DEFAULT_SITE,
    explore: config?.explore ?? false,
    signUp: config?.signUp ?? OPEN_SIGN_UP,
    openToAll: config?.readers !== 'accounts',
    readOnly: config?.readOnly ?? false,
    signedIn: hasSessionCookie,
    accountId: ('user' in c.var && c.var.user.id) || null,
    maxContentBytes: config?.maxContentBytes ?? 0,
    styleNonce,
    texts: [],
  }
}

export const answerHtml = (c: AppContext, html: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, html, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })

export async function page(c: AppContext, content: JSX.Element, options?: PageOptions): Promise<Response> {
  const description = describePage(c, options)
  const { texts } = description
  const rendered = String(
    await html`<!doctype html>${<Context.Provider value={description}>{content}</Context.Provider>}`,
  )
  return answerHtml(c, texts.length === 0 ? rendered : streamSliced({ template: rendered, texts }), options)
}

interface SlicedTextProps {
  readonly text: string
  /** The characters to escape. */
  readonly characters?: RegExp
  /** Renders it part by part. By default, it's escaped in slices. */
  readonly write?: (() => Iterable<string>) | undefined
}

/** A text of any length: a long one is escaped only while the response is sent. */
export const SlicedText = ({ text, characters = VERBATIM_TEXT_CHARACTERS, write }: SlicedTextProps) => {
  if (text.length <= SLICE_CHARACTERS)
    return raw(write ? [...write()].join('') : text.replace(characters, toReference))
  const slot = generateSlot()
  usePage().texts.push({
    slot,
    text,
    write: write ?? (() => splitSlices(text).map(escapeInBytes(characters))),
  })
  return raw(slot)
}

export const withHeaders = <Options extends AnswerOptions>(
  options: Options,
  headers: Readonly<Record<string, string>>,
) => ({ ...options, headers: { ...options.headers, ...headers } })

export function withCookies(response: Response, ...cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export const seeOther = (c: AppContext, path: string, cookies: readonly string[] = []): Response =>
  withCookies(
    answer(c, null, { status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } }),
    ...cookies,
  )

/** No cache keeps a page that only its user may see. */
export const PRIVATE_HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** Answers the site's own scripts. */
export const answerJson = (c: AppContext, value: unknown, options: AnswerOptions = {}): Response =>
  answer(
    c,
    JSON.stringify(value),
    withHeaders(options, { ...PRIVATE_HEADERS, 'Content-Type': 'application/json; charset=utf-8' }),
  )

/** Answers with a private page, whose forms may lead to GitHub. */
export function privatePage(
  c: AppContext,
  content: JSX.Element,
  options: AnswerOptions = {},
): Promise<Response> {
  const policy = contentSecurityPolicy({ formTargets: [new URL(c.var.config.github.url).origin] })
  return page(c, content, withHeaders(options, { ...PRIVATE_HEADERS, 'Content-Security-Policy': policy }))
}

/** Stands in the head of a page that encrypts or decrypts. */
export const JweWorker = () => <meta name="jwe-worker" content={SCRIPTS.jweWorker} />

import { html } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { AppContext } from '../../env.ts'
import { type AnswerOptions, answer, type Body } from '../../http/answers.ts'
import { getOrigin } from '../../http/origin.ts'
import { contentSecurityPolicy } from '../../platform/security-headers.ts'
import { generateSlot, SLICE_CHARACTERS, streamSliced } from '../../platform/streaming.ts'
import { type Display, parseDisplayCookie, parseThemeCookie, type ThemeName } from '../../shared/display.ts'
import { escapeHtml } from '../../shared/escape.ts'

/** Stands in for this site's origin, since only the path matters. */
const ANY_SITE = 'https://site.invalid'

/** What a browser or a proxy may read as the start of another host. */
const LEADS_ELSEWHERE = /^\/(\/|\\|%2f|%5c)/i

/**
 * Returns the path to go back to, normalised as browsers do. It never leads to another site: the home page replaces
 * `//host`, `/\host`, absolute URLs, and paths that only become one of these by normalising, such as `/.//host` (URL
 * Standard §4.4).
 */
export function returnPath(candidate: string | undefined): string {
  if (!candidate?.startsWith('/') || !URL.canParse(candidate, ANY_SITE)) return '/'
  const { origin, pathname, search, hash } = new URL(candidate, ANY_SITE)
  return origin !== ANY_SITE || LEADS_ELSEWHERE.test(candidate) || LEADS_ELSEWHERE.test(pathname)
    ? '/'
    : pathname + search + hash
}

/** Paths that several parts of the site link or redirect to. */
export const YOUR_DOCUMENTS_PATH = '/account/documents'
export const SHARED_DOCUMENTS_PATH = `${YOUR_DOCUMENTS_PATH}?view=shared`
export const EXPLORE_PATH = '/explore'
export const getProfilePath = (username: string): string => `/@${username}`
/** The documents that this browser created without an account. */
export const DEVICE_PATH = '/device'

/** Returns the theme in the browser's cookie; `system` if there is none. */
export const getTheme = (c: AppContext): ThemeName => parseThemeCookie(c.req.header('Cookie') ?? '')

/** Returns how the browser's cookie asks to display texts. */
export const getDisplay = (c: AppContext): Display => parseDisplayCookie(c.req.header('Cookie') ?? '')

/** What the frame around a page needs to know about the request. */
interface Frame {
  readonly theme: ThemeName
  /**
   * The path and query of the page; null for the answer to a form, since a GET wouldn't bring it back. Empty for an
   * error page, which shows nothing of an address that anybody can make up.
   */
  readonly path: string | null
  /** The address of the page without its query, which print shows; empty for an error page. */
  readonly address: string
  /** The address that absolute links start with, without a trailing slash. */
  readonly siteUrl: string
  /** Whether this server has lists of public documents. */
  readonly explore: boolean
  /** What the parts of the page have put into its head. */
  readonly inHead: HtmlEscapedString[]
}

let current: Frame = { theme: 'system', path: null, address: '', siteUrl: '', explore: false, inHead: [] }

/** Returns the frame of the page that is being rendered. */
export const useFrame = (): Frame => current

/**
 * Renders a page in its frame. No other page can come between, because components render synchronously. The context of
 * `hono/jsx` would do the same, but adds 6 KB after gzip to what the Worker loads to read a document.
 */
function renderInFrame<Result>(frame: Frame, render: () => Result): Result {
  const previous = current
  current = frame
  try {
    return render()
  } finally {
    current = previous
  }
}

/** Returns the frame of the page that answers this request with this status. */
function getFrame(c: AppContext, status: number): Frame {
  const { method, url } = c.req
  const failed = status >= 400
  return {
    theme: getTheme(c),
    path: method !== 'GET' ? null : failed ? '' : url.slice(getOrigin(url).length),
    address: failed ? '' : c.var.siteUrl + c.req.path,
    siteUrl: c.var.siteUrl,
    // An error page has no configuration if a variable is invalid.
    explore: c.var.config?.explore ?? false,
    inHead: [],
  }
}

/** Answers HTML that is rendered already. */
export const answerHtml = (c: AppContext, html: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, html, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })

/** Renders a page in the frame of this request. */
const renderPage = async (c: AppContext, content: JSX.Element, status = 200): Promise<string> =>
  String(await renderInFrame(getFrame(c, status), () => html`<!doctype html>${content}`))

/** Answers a page. */
export const page = async (c: AppContext, content: JSX.Element, options?: AnswerOptions): Promise<Response> =>
  answerHtml(c, await renderPage(c, content, options?.status), options)

interface TextPageOptions extends AnswerOptions {
  /** Writes a long text as HTML; by default it is escaped as it is. */
  readonly write?: ((text: string) => Iterable<string>) | undefined
}

/** Answers a page that contains a text of any length, at the place where `render` puts it. */
export const pageWithText = (
  c: AppContext,
  text: string,
  render: (text: string) => JSX.Element,
  options?: TextPageOptions,
): Promise<Response> => pageWithTwoTexts(c, [text, ''], (first) => render(first), options)

/** Answers a page that contains two texts of any length. `render` must put the first before the second. */
export async function pageWithTwoTexts(
  c: AppContext,
  [first, second]: readonly [string, string],
  render: (first: string, second: string) => JSX.Element,
  { write, ...options }: TextPageOptions = {},
): Promise<Response> {
  if (first.length + second.length <= SLICE_CHARACTERS) return page(c, render(first, second), options)
  const [one, two] = [generateSlot(), generateSlot()]
  const frame = await renderPage(c, render(one, two), options.status)
  const texts = [
    { slot: one, text: first, write },
    { slot: two, text: second, write },
  ]
  return answerHtml(c, streamSliced({ frame, texts, escapeSlice: escapeHtml }), options)
}

/** Returns the options with more headers. */
export const withHeaders = <Options extends AnswerOptions>(
  options: Options,
  headers: Readonly<Record<string, string>>,
) => ({ ...options, headers: { ...options.headers, ...headers } })

/**
 * Redirects to another page, which the browser requests with GET.
 *
 * @param cookies complete `Set-Cookie` values.
 */
export function seeOther(c: AppContext, path: string, cookies: readonly string[] = []): Response {
  const response = answer(c, null, { status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Headers of pages that only their user may see: no cache keeps them. */
export const PRIVATE_HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** Answers a page that only its user may see, with forms that may lead to GitHub. */
export const privatePage = (
  c: AppContext,
  content: JSX.Element,
  { status = 200, headers }: AnswerOptions = {},
): Promise<Response> =>
  page(c, content, {
    status,
    headers: {
      ...PRIVATE_HEADERS,
      'Content-Security-Policy': contentSecurityPolicy({
        formTargets: [new URL(c.var.config.github.url).origin],
      }),
      ...headers,
    },
  })

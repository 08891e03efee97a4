import type { Context, ErrorHandler } from 'hono'
import { html } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { AppEnv } from '../../env.ts'
import { type AppError, SignInNeeded, toAppError } from '../../errors.ts'
import { logError } from '../../platform/logging.ts'
import { generateSlot, SLICE, streamSliced } from '../../platform/streaming.ts'
import { expiredSessionCookie } from '../sign-in/auth-for-request.ts'
import { Notice } from './layout.tsx'
import { frameOf, PageFrame } from './page-frame.ts'
import { returnPath } from './return-path.ts'

interface PolicyOptions {
  /** Origins beside this site's where forms may lead: a browser checks where a form's answer redirects to, too. */
  readonly formTargets?: readonly string[]
  /** Of the style elements that a script of the page makes. */
  readonly styleNonce?: string
}

/** What a page may load, and where its forms may lead. */
export const contentSecurityPolicy = ({ formTargets = [], styleNonce }: PolicyOptions = {}): string =>
  [
    "default-src 'none'; script-src 'self'; worker-src 'self'; img-src 'self'; connect-src 'self'",
    `style-src ${["'self'", ...(styleNonce ? [`'nonce-${styleNonce}'`] : [])].join(' ')}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'; frame-ancestors 'none'",
    // No text becomes markup or code unless one of these policies has looked at it.
    "require-trusted-types-for 'script'; trusted-types regent dompurify",
  ].join('; ')

/** What a browser is told about every answer of the site. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': contentSecurityPolicy(),
  // With `no-referrer` the site's own forms would send `Origin: null`.
  'Referrer-Policy': 'same-origin',
  // Subdomains are the operator's to decide about.
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

type Body = string | Uint8Array | ReadableStream | null

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

interface AroundOptions extends AnswerOptions {
  /** How a long text is written, where not as it is. */
  readonly write?: ((text: string) => Iterable<string>) | undefined
}

/**
 * Every answer of the site. All headers are given at once: set one by one, by a middleware, they cost a
 * read a tenth of its time.
 */
export const answer = (
  c: Context<AppEnv>,
  body: Body,
  { status = 200, headers }: AnswerOptions = {},
): Response =>
  new Response(body, {
    status,
    headers: { ...SECURITY_HEADERS, 'X-Request-Id': c.get('requestId'), ...headers },
  })

const HTML = 'text/html; charset=utf-8'

/** Answers HTML that was rendered by hono/jsx. */
export const answerHtml = (c: Context<AppEnv>, html: Body, { status, headers }: AnswerOptions = {}) =>
  answer(c, html, { ...(status && { status }), headers: { 'Content-Type': HTML, ...headers } })

/** A page as HTML, with the frame that this request asks for. */
const renderPage = async (c: Context<AppEnv>, content: JSX.Element, status = 200): Promise<string> =>
  String(
    await html`<!doctype html>${<PageFrame.Provider value={frameOf(c, status)}>{content}</PageFrame.Provider>}`,
  )

/** Answers a page. */
export const page = async (c: Context<AppEnv>, content: JSX.Element, options?: AnswerOptions) =>
  answerHtml(c, await renderPage(c, content, options?.status), options)

/** A page around a text of any length, which `render` puts where it belongs. */
export const pageAround = (
  c: Context<AppEnv>,
  text: string,
  render: (text: string) => JSX.Element,
  options?: AroundOptions,
): Promise<Response> => pageAroundTwo(c, [text, ''], (first) => render(first), options)

/** A page around two texts of any length, which `render` puts where they belong, the first before the second. */
export async function pageAroundTwo(
  c: Context<AppEnv>,
  [first, second]: readonly [string, string],
  render: (first: string, second: string) => JSX.Element,
  { write, ...options }: AroundOptions = {},
): Promise<Response> {
  if (first.length + second.length <= SLICE) return page(c, render(first, second), options)
  const texts = [first, second].map((text) => ({ slot: generateSlot(), text, write }))
  const [one = '', other = ''] = texts.map(({ slot }) => slot)
  const frame = await renderPage(c, render(one, other), options?.status)
  const escapeSlice = (slice: string) => String(html`${slice}`)
  return answerHtml(c, streamSliced({ frame, texts, escapeSlice }), options)
}

/** Answers text that no browser takes for anything else. */
export const answerText = (c: Context<AppEnv>, text: Body, { status, headers }: AnswerOptions = {}) =>
  answer(c, text, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })

/**
 * Leads to another page, by GET.
 *
 * @param cookies whole values of `Set-Cookie`.
 */
export function seeOther(c: Context<AppEnv>, path: string, cookies: readonly string[] = []): Response {
  const response = answer(c, null, { status: 303, headers: { Location: path, 'Cache-Control': 'no-store' } })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

const ErrorPage = ({ error, signedIn }: { error: AppError; signedIn: boolean }) => {
  switch (error.status) {
    case 404:
      return (
        <Notice title="Not found" signedIn={signedIn}>
          <p>
            There is nothing at this address. If there was a document, it has expired, was deleted, or was
            read by its one reader.
          </p>
          <p>
            <a href="/">Write a document</a>
          </p>
        </Notice>
      )
    case 500:
    case 503:
      return (
        <Notice title="Something went wrong" signedIn={signedIn}>
          <p>The fault is ours, and nothing was lost. Try again in a moment.</p>
        </Notice>
      )
    default:
      return (
        <Notice title="That did not work" signedIn={signedIn}>
          <p>{error.message}.</p>
        </Notice>
      )
  }
}

/** The headers of every error that a person sees. */
export const errorHeaders = (error: AppError): Record<string, string> => ({
  ...error.headers,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
})

/** What to answer for whatever was thrown; a server fault goes to the log with its cause. */
export function toLoggedError(thrown: unknown, requestId: string): AppError {
  const error = toAppError(thrown)
  if (error.status >= 500) logError('request failed', requestId, error)
  return error
}

/** The way to the sign-in and back: to the page that was asked for, or to the one that a form was on. */
function signInPath(c: Context<AppEnv>): string {
  const referer = c.req.header('Referer') ?? ''
  const formPage = URL.canParse(referer) ? referer : c.var.siteUrl
  const { pathname, search } = new URL(c.req.method === 'POST' ? formPage : c.req.url)
  return `/sign-in?${new URLSearchParams({ return: returnPath(pathname + search) })}`
}

/** Answers whatever was thrown as a page. */
export const answerErrorPage: ErrorHandler<AppEnv> = (thrown, c) => {
  if (thrown instanceof SignInNeeded) {
    // A cookie whose session is over would go on showing the navigation of those who are signed in.
    return seeOther(c, signInPath(c), c.var.hasSessionCookie ? [expiredSessionCookie(c.var.siteUrl)] : [])
  }
  const error = toLoggedError(thrown, c.var.requestId)
  const signedIn = c.get('hasSessionCookie') ?? false
  return page(c, <ErrorPage error={error} signedIn={signedIn} />, {
    status: error.status,
    headers: errorHeaders(error),
  })
}

/** Answers whatever was thrown as a line of text. */
export const answerErrorText: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = toLoggedError(thrown, c.var.requestId)
  return answerText(c, `${error.message}\n`, { status: error.status, headers: errorHeaders(error) })
}

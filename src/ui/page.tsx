import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { HtmlEscapedString } from 'hono/utils/html'
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
import { BoundedMap } from '../shared/bounded-map.ts'
import { type Display, parseDisplayCookie } from '../shared/display.ts'
import { escapeHtml, toReference, VERBATIM_TEXT_CHARACTERS } from '../shared/escape.ts'
import type { Instant } from '../shared/instant.ts'
import { parseThemeCookie, type ThemeName } from '../shared/themes.ts'
import { SCRIPTS } from './assets.generated.ts'

/** Stands in for this site's origin, since only the path matters. */
const ANY_SITE = 'https://site.invalid'

/** What a browser or a proxy may read as the start of another host. Browsers ignore tabs and line breaks. */
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

/** Leaves out what's empty. */
export function buildPath(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`
}

export const getTheme = (c: AppContext): ThemeName => parseThemeCookie(c.req.header('Cookie') ?? '')

export const getDisplay = (c: AppContext): Display => parseDisplayCookie(c.req.header('Cookie') ?? '')

/** What a page shows that changes by itself. */
export interface Moment {
  readonly now: Instant
  readonly views: number
}

type LivePart = (moment: Moment) => string

interface Frame {
  readonly theme: ThemeName
  /**
   * Includes the query. Null for the answer to a form, since a GET wouldn't bring it back. Empty for an error page,
   * which shows nothing of an address that anybody can make up.
   */
  readonly path: string | null
  /** For the navigation only, which shows nothing of it. */
  readonly pathname: string
  /** Without its query, for print; empty for an error page. */
  readonly address: string
  readonly siteUrl: string
  readonly explore: boolean
  readonly readOnly: boolean
  /** Whether there is a session cookie, valid or not. */
  readonly signedIn: boolean
  readonly maxContentBytes: number
  readonly styleNonce: string
  readonly inHead: HtmlEscapedString[]
  /** Long texts, in the order of their slots in the page. */
  readonly texts: SlicedTexts['texts'][number][]
  /** Of a page that is kept: what stands for a live part, before its number. */
  readonly live: { readonly slot: string; readonly parts: LivePart[] } | null
}

/** What code outside of a page gets, such as the check for the height of an embed. */
let current: Frame = {
  theme: 'system',
  path: null,
  pathname: '',
  address: '',
  siteUrl: '',
  explore: false,
  readOnly: false,
  signedIn: false,
  maxContentBytes: 0,
  styleNonce: '',
  inHead: [],
  texts: [],
  live: null,
}

export const useFrame = (): Frame => current

/** Components render synchronously, so no page comes between. The context of `hono/jsx` would add 6 KB after gzip. */
function renderInFrame(frame: Frame, content: JSX.Element) {
  const previous = current
  current = frame
  try {
    return html`<!doctype html>${content}`
  } finally {
    current = previous
  }
}

interface PageOptions extends AnswerOptions {
  /** Of a page whose script adds styles. */
  readonly styleNonce?: string
}

function getFrame(c: AppContext, { status = 200, styleNonce = '' }: PageOptions = {}): Frame {
  const { method, url } = c.req
  const failed = status >= 400
  return {
    theme: getTheme(c),
    path: method !== 'GET' ? null : failed ? '' : url.slice(getOrigin(url).length),
    pathname: c.req.path,
    address: failed ? '' : c.var.siteUrl + c.req.path,
    siteUrl: c.var.siteUrl,
    // An error may come before the middleware that sets these.
    explore: c.var.config?.explore ?? false,
    readOnly: c.var.config?.readOnly ?? false,
    signedIn: c.var.hasSessionCookie ?? false,
    maxContentBytes: c.var.config?.maxContentBytes ?? 0,
    styleNonce,
    inHead: [],
    texts: [],
    live: null,
  }
}

export const answerHtml = (c: AppContext, html: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, html, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })

interface LiveProps extends Partial<Moment> {
  /** Returns HTML, and uses nothing else that changes. */
  readonly render: LivePart
}

/** The rest of a page that is kept is rendered once. */
export const Live = ({ render, ...moment }: LiveProps) => {
  const { live } = useFrame()
  return raw(
    live === null ? render({ now: 0, views: 0, ...moment }) : `${live.slot}${live.parts.push(render) - 1} `,
  )
}

/** HTML between live parts. */
export interface KeptPage {
  readonly html: readonly string[]
  readonly live: readonly LivePart[]
}

export async function renderToKeep(c: AppContext, content: JSX.Element): Promise<KeptPage> {
  const live = { slot: generateSlot(), parts: [] as LivePart[] }
  const frame = { ...getFrame(c), live }
  const [start = '', ...rest] = String(await renderInFrame(frame, content)).split(live.slot)
  // A part may be in the page more than once, and in another order than it was rendered.
  const numbered = rest.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf(' ') + 1)] as const)
  return {
    html: [start, ...numbered.map(([, part]) => part)],
    live: numbered.flatMap(([number]) => live.parts[number] ?? []),
  }
}

export const fillIn = ({ html, live }: KeptPage, moment: Moment): string =>
  html.map((part, index) => part + (live[index]?.(moment) ?? '')).join('')

export async function page(c: AppContext, content: JSX.Element, options?: PageOptions): Promise<Response> {
  const frame = getFrame(c, options)
  const rendered = String(await renderInFrame(frame, content))
  const { texts } = frame
  return answerHtml(c, texts.length === 0 ? rendered : streamSliced({ frame: rendered, texts }), options)
}

interface SlicedTextProps {
  readonly text: string
  /** What is escaped. */
  readonly characters?: RegExp
  /** Renders a long text part by part. By default, it's escaped in slices. */
  readonly write?: () => Iterable<string>
}

/** A text of any length: a long one is escaped only while the response is sent. */
export const SlicedText = ({
  text,
  characters = VERBATIM_TEXT_CHARACTERS,
  write = () => splitSlices(text).map(escapeInBytes(characters)),
}: SlicedTextProps) => {
  if (text.length <= SLICE_CHARACTERS) return raw(text.replace(characters, toReference))
  const slot = generateSlot()
  useFrame().texts.push({ slot, text, write })
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

/** For pages that only their user may see: no cache keeps them. */
export const PRIVATE_HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** For the site's own scripts. */
export const answerJson = (c: AppContext, value: unknown, options: AnswerOptions = {}): Response =>
  answer(
    c,
    JSON.stringify(value),
    withHeaders(options, { ...PRIVATE_HEADERS, 'Content-Type': 'application/json; charset=utf-8' }),
  )

/** Its forms may lead to GitHub. */
export function privatePage(
  c: AppContext,
  content: JSX.Element,
  options: AnswerOptions = {},
): Promise<Response> {
  const policy = contentSecurityPolicy({ formTargets: [new URL(c.var.config.github.url).origin] })
  return page(c, content, withHeaders(options, { ...PRIVATE_HEADERS, 'Content-Security-Policy': policy }))
}

type Value = string | HtmlEscapedString

/** Marks a gap with characters that nothing else in a page may use (Unicode, Private Use Area). */
const GAP = /\uE000(\w+)\uE001/

/** More than there are combinations of what a page depends on. A bound for the memory, in case a key is wrong. */
const MAX_VARIANTS = 200

/** Rendered once for each variant, with gaps for the rest: rendering takes most of the time of a page. */
export class Template<Name extends string> {
  readonly #names: readonly Name[]
  readonly #variants = new BoundedMap<string, readonly string[]>(MAX_VARIANTS)

  constructor(...names: Name[]) {
    this.#names = names
  }

  /** @param key everything that `render` depends on, and nothing that people or documents bring. */
  fill(
    key: string,
    values: Readonly<Record<Name, Value>>,
    render: (gaps: Readonly<Record<Name, string>>) => JSX.Element,
  ): HtmlEscapedString {
    let parts = this.#variants.get(key)
    if (!parts) {
      const gaps = Object.fromEntries(this.#names.map((name) => [name, `\uE000${name}\uE001`]))
      parts = String(render(gaps as Record<Name, string>)).split(GAP)
      this.#variants.set(key, parts)
    }
    return raw(parts.map((part, index) => (index % 2 === 0 ? part : toHtml(values[part as Name]))).join(''))
  }
}

const toHtml = (value: Value): string => (typeof value === 'string' ? escapeHtml(value) : String(value))

export const renderChildren = (children: Child): HtmlEscapedString =>
  // biome-ignore lint/complexity/noUselessFragments: the fragment turns children of any kind into one element.
  raw(String(<>{children}</>))

export const JweWorker = () => {
  useFrame().inHead.push(renderChildren(<meta name="jwe-worker" content={SCRIPTS.jweWorker} />))
  return null
}

import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { relativePath } from '../scripts/support/script.ts'

/** Serves static files as Cloudflare does: before the app is asked, with the headers of `_headers`. */

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** The type of fonts in one file, which only our scripts unpack, and of files with an unknown ending. */
const OTHER_TYPE = 'application/octet-stream'

const HEADERS_FILE = '_headers'

/** The endings of compressed copies by their coding. The first that a client takes is sent. */
export const CODINGS = { br: '.br', gzip: '.gz' } as const

type Coding = keyof typeof CODINGS

interface HeaderRule {
  readonly pattern: RegExp
  /** A null value removes what earlier rules have set. */
  readonly headers: readonly (readonly [name: string, value: string | null])[]
}

const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

/** Parses the format of Cloudflare's `_headers` (https://developers.cloudflare.com/workers/static-assets/headers). */
function parseHeaderRules(text: string): HeaderRule[] {
  const rules: { pattern: RegExp; headers: [string, string | null][] }[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    if (!/^\s/.test(line)) {
      rules.push({ pattern: toPattern(line.trim()), headers: [] })
      continue
    }
    const [, removed, name = '', value = ''] = /^\s+(!\s*)?([^:\s]+)(?::\s*(.*?))?\s*$/.exec(line) ?? []
    rules.at(-1)?.headers.push([name, removed === undefined ? value : null])
  }
  return rules
}

interface Asset {
  readonly path: string
  readonly bytes: number
  readonly headers: Headers
  /** Its compressed copies, and how many bytes each has. */
  readonly copies: ReadonlyMap<Coding, { readonly path: string; readonly bytes: number }>
  etag: string | null
}

const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const takes = (accepted: string, coding: Coding): boolean =>
  accepted
    .split(',')
    .some((entry) => entry.split(';', 1)[0]?.trim() === coding && !/;\s*q=0(\.0*)?\s*$/.test(entry))

const hasTag = (tags: string, etag: string): boolean =>
  tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))

/** The static files in a folder. They don't change while the server runs. */
export class Assets {
  readonly #assets: ReadonlyMap<string, Asset>

  private constructor(assets: ReadonlyMap<string, Asset>) {
    this.#assets = assets
  }

  /**
   * @param compressed the folder of the copies that `compressAssets` has made.
   * @param others files from elsewhere, by their names in the folder.
   */
  static async open(
    folder: string,
    compressed: string,
    others: Readonly<Record<string, string>> = {},
  ): Promise<Assets> {
    const rules = parseHeaderRules(await readFile(join(folder, HEADERS_FILE), 'utf8').catch(() => ''))
    const sizes = new Map<string, number>()
    for (const path of await listFiles(compressed)) sizes.set(path, (await stat(path)).size)
    const assets = new Map<string, Asset>()
    const files = (await listFiles(folder)).map((path) => [relativePath(folder, path), path] as const)
    for (const [name, path] of [...files, ...Object.entries(others)]) {
      if (name === HEADERS_FILE) continue
      const headers = new Headers({ 'Cache-Control': 'public, max-age=0, must-revalidate' })
      headers.set('Content-Type', TYPES[extname(name)] ?? OTHER_TYPE)
      for (const rule of rules.filter(({ pattern }) => pattern.test(`/${name}`)))
        for (const [header, value] of rule.headers)
          if (value === null) headers.delete(header)
          else headers.set(header, value)
      const copies = new Map<Coding, { path: string; bytes: number }>()
      for (const [coding, ending] of Object.entries(CODINGS) as [Coding, string][]) {
        const copy = join(compressed, name + ending)
        const bytes = sizes.get(copy)
        if (bytes !== undefined && !(name in others)) copies.set(coding, { path: copy, bytes })
      }
      if (copies.size > 0) headers.set('Vary', 'Accept-Encoding')
      assets.set(`/${name}`, { path, bytes: (await stat(path)).size, headers, copies, etag: null })
    }
    return new Assets(assets)
  }

  /** Returns null if no file has this path, or the method isn't one that reads. */
  async find({ method, url, headers: asked }: Request): Promise<Response | null> {
    if (method !== 'GET' && method !== 'HEAD') return null
    const asset = this.#assets.get(getPath(url))
    if (asset === undefined) return null
    asset.etag ??= `"${createHash('sha256')
      .update(await readFile(asset.path))
      .digest('base64url')
      .slice(0, 22)}"`
    const accepted = asked.get('Accept-Encoding') ?? ''
    const [coding, copy] = [...asset.copies].find(([coding]) => takes(accepted, coding)) ?? []
    const headers = new Headers(asset.headers)
    // A compressed copy has other bytes: the same tag is a weak one then.
    const etag = coding === undefined ? asset.etag : `W/${asset.etag}`
    headers.set('ETag', etag)
    if (hasTag(asked.get('If-None-Match') ?? '', etag)) return new Response(null, { status: 304, headers })
    if (coding !== undefined) headers.set('Content-Encoding', coding)
    headers.set('Content-Length', String(copy?.bytes ?? asset.bytes))
    if (method === 'HEAD') return new Response(null, { headers })
    return new Response(await readFile(copy?.path ?? asset.path), { headers })
  }

  /** The binding `ASSETS`. */
  readonly binding = {
    fetch: async (input: string | URL | Request): Promise<Response> => {
      const request = input instanceof Request ? input : new Request(input)
      return (await this.find(request)) ?? new Response('Not Found', { status: 404 })
    },
  }
}

function getPath(url: string): string {
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

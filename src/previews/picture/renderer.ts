import { initSync, type Node, Renderer, setGlyphCacheMaxBytes } from '@takumi-rs/wasm'
import { isolateMemory } from '../../platform/request-memory.ts'
import { FONTS } from '../../ui/assets.generated.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../ui/link-preview.tsx'

/** A part of a font file, which has some of the font's characters. */
interface FontPart {
  readonly family: string
  readonly file: string
  readonly at: number
  readonly bytes: number
  readonly ranges: readonly (readonly [number, number])[]
}

/** Files on their way at the same time. All of them together are fewer than the 50 that the free plan allows. */
const MAX_LOADING = 4
const TIMEOUT_MS = 5_000

let fontParts: readonly FontPart[] | null = null

/** Reads a static file through the binding, for which only the path counts. */
async function fetchAsset(assets: Fetcher, path: string): Promise<Response> {
  const response = await assets.fetch(new URL(path, 'https://assets.invalid'), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${path} is missing: ${response.status}`)
  return response
}

/** A larger icon isn't drawn, since every picture reads it anew. */
const MAX_ICON_BYTES = 256 * 1024

/** Returns the icon as a data URL; null if it isn't there or is too large. */
export async function readIcon(assets: Fetcher, path: string): Promise<string | null> {
  try {
    const response = await fetchAsset(assets, path)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.byteLength > MAX_ICON_BYTES) return null
    const type = path.endsWith('.svg') ? 'image/svg+xml' : 'image/png'
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
    return `data:${type};base64,${btoa(binary)}`
  } catch {
    return null
  }
}

/** Chinese, Japanese and Korean draw the same characters in their own way, so kana and Hangul decide. */
function getFontStack(text: string): string[] {
  const eastAsian = /[\u3041-\u30FF]/.test(text)
    ? ['Japanese', 'Chinese', 'Korean']
    : /[\u1100-\u11FF\uAC00-\uD7A3]/.test(text)
      ? ['Korean', 'Chinese', 'Japanese']
      : ['Chinese', 'Japanese', 'Korean']
  return ['Mono', 'Sans', 'Emoji', 'Thai', 'Devanagari', ...eastAsian]
}

const contains = ({ ranges }: FontPart, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

/** Tells the fonts of the picture itself from those for characters that these don't have. */
const isOwn = (family: string): boolean => family === 'Mono' || family === 'Sans'

/** Selects the first family that has a character, for each of them. */
function selectParts(parts: readonly FontPart[], text: string): Set<FontPart> {
  const stack = getFontStack(text)
  // The titles and labels are in `Sans`, code is in `Mono`.
  const selected = new Set<FontPart>(parts.filter((part) => isOwn(part.family) && contains(part, 0x41)))
  const codePoints = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0))
  for (const codePoint of codePoints) {
    if (codePoint < 0x80) continue
    const found = parts.filter((part) => contains(part, codePoint))
    // A letter may be in the title and in the code, so both fonts are needed.
    const own = found.filter(({ family }) => isOwn(family))
    const first = stack.find((family) => found.some((part) => part.family === family))
    for (const part of own.length > 0 ? own : found.filter(({ family }) => family === first))
      selected.add(part)
  }
  return selected
}

async function loadFile(assets: Fetcher, file: string, parts: readonly FontPart[]) {
  const data = await (await fetchAsset(assets, `/assets/fonts/${file}`)).arrayBuffer()
  return parts.map((part) => ({
    name: part.family,
    part,
    data: data.slice(part.at, part.at + part.bytes),
    unicodeRange: part.ranges.map(([first, last]): [number, number] => [first, last]),
  }))
}

/** Loads all that the text needs. @throws Error if a file is missing or doesn't arrive in time. */
async function loadFonts(assets: Fetcher, text: string, has: (part: FontPart) => boolean) {
  fontParts ??= await (await fetchAsset(assets, FONTS)).json<FontPart[]>()
  const needed = [...selectParts(fontParts, text)].filter((part) => !has(part))
  const files = [...Map.groupBy(needed, ({ file }) => file)]
  const fonts: Awaited<ReturnType<typeof loadFile>> = []
  for (let next = 0; next < files.length; next += MAX_LOADING) {
    const loading = files.slice(next, next + MAX_LOADING)
    for (const loaded of await Promise.all(loading.map(([file, parts]) => loadFile(assets, file, parts))))
      fonts.push(...loaded)
  }
  return fonts
}

/** Fonts beyond this are dropped before the next picture: memory of the module that has grown never shrinks. */
const MAX_FONT_BYTES = 3 * 1024 * 1024
/** The memory that the module takes with its fonts: 9 MB for most texts, 15 for ideographs. */
const MODULE_BYTES = 16 * 1024 * 1024
const GLYPH_CACHE_BYTES = 2 * 1024 * 1024

interface LoadedRenderer {
  readonly renderer: Renderer
  readonly parts: Set<FontPart>
  fontBytes: number
}

let loaded: LoadedRenderer | null = null
let isMemoryReserved = false

async function getRenderer(): Promise<LoadedRenderer> {
  // Another request may be about to use it, so the garbage collector frees it.
  if (loaded && loaded.fontBytes > MAX_FONT_BYTES) loaded = null
  if (loaded) return loaded
  const { default: module } = await import('@takumi-rs/wasm/auto')
  // Nothing to wait for from here on: another request may have come first.
  initSync({ module })
  if (!isMemoryReserved) isolateMemory.reservePermanently(MODULE_BYTES)
  isMemoryReserved = true
  setGlyphCacheMaxBytes(GLYPH_CACHE_BYTES)
  loaded ??= { renderer: new Renderer(), parts: new Set(), fontBytes: 0 }
  return loaded
}

const getText = (node: Node): string =>
  node.type === 'text'
    ? node.text
    : node.type === 'container'
      ? (node.children ?? []).map(getText).join('')
      : ''

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Drawing a larger picture leaves the module with more memory than the next one needs. */
const MAX_KEPT_PIXELS = 1_500_000

/** @throws Error if a font or the renderer can't be loaded, or the renderer fails. */
export async function renderPicture(
  assets: Fetcher,
  node: Node,
  { width, height }: PictureSize = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT },
): Promise<Uint8Array<ArrayBuffer>> {
  const text = getText(node)
  const current = await getRenderer()
  const fonts = await loadFonts(assets, text, (part) => current.parts.has(part))
  for (const { part, ...font } of fonts) {
    if (current.parts.has(part)) continue
    await current.renderer.registerFont(font)
    current.parts.add(part)
    current.fontBytes += font.data.byteLength
  }
  if (width * height > MAX_KEPT_PIXELS) loaded = null
  return current.renderer.render(node, { width, height, format: 'png', fontFamilies: getFontStack(text) })
}

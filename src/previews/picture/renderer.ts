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

/**
 * Bytes of fonts of a renderer, and so of one picture. Anyone can have a picture drawn, and reading more takes too long.
 * Twelve lines of traditional Chinese need the most, up to 2.9 MiB.
 */
export const MAX_FONT_BYTES = 3.5 * 1024 * 1024

const countBytes = (parts: Iterable<FontPart>): number =>
  Array.from(parts, ({ bytes }) => bytes).reduce((sum, bytes) => sum + bytes, 0)

/** Selects the first family that has a character, for each of them until `MAX_FONT_BYTES`. Others are drawn as boxes. */
export function selectParts(parts: readonly FontPart[], text: string): Set<FontPart> {
  const stack = getFontStack(text)
  const codePoints = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0))
  // Going through all fonts once takes less time than looking for each character.
  const found = new Map<number, FontPart[]>()
  for (const part of parts)
    for (const [first, last] of part.ranges)
      for (let codePoint = first; codePoint <= last; codePoint++)
        if (codePoints.has(codePoint)) found.set(codePoint, [...(found.get(codePoint) ?? []), part])
  // The titles and labels are in `Sans`, code is in `Mono`.
  const selected = new Set<FontPart>(parts.filter((part) => isOwn(part.family) && contains(part, 0x41)))
  let bytes = countBytes(selected)
  for (const codePoint of codePoints) {
    if (codePoint < 0x80) continue
    const having = found.get(codePoint) ?? []
    // A letter may be in the title and in the code, so both fonts are needed.
    const own = having.filter(({ family }) => isOwn(family))
    const first = stack.find((family) => having.some((part) => part.family === family))
    for (const part of own.length > 0 ? own : having.filter(({ family }) => family === first)) {
      if (selected.has(part) || bytes + part.bytes > MAX_FONT_BYTES) continue
      selected.add(part)
      bytes += part.bytes
    }
  }
  return selected
}

/** Adds the bytes of the parts. @throws Error if a file is missing or doesn't arrive in time. */
async function loadParts(assets: Fetcher, parts: readonly FontPart[], data: Map<FontPart, ArrayBuffer>) {
  const files = [...Map.groupBy(parts, ({ file }) => file)]
  const load = async ([file, parts]: (typeof files)[number]) => {
    const bytes = await (await fetchAsset(assets, `/assets/fonts/${file}`)).arrayBuffer()
    for (const part of parts) data.set(part, bytes.slice(part.at, part.at + part.bytes))
  }
  for (let next = 0; next < files.length; next += MAX_LOADING)
    await Promise.all(files.slice(next, next + MAX_LOADING).map(load))
}

/**
 * The memory that the module takes at the most, which never shrinks: 7 MiB for Latin text, 19 with all fonts that it may
 * have, and 32 once it has drawn large pictures of lines.
 */
export const MODULE_BYTES = 34 * 1024 * 1024
const GLYPH_CACHE_BYTES = 2 * 1024 * 1024

interface LoadedRenderer {
  readonly renderer: Renderer
  readonly parts: Set<FontPart>
}

let loaded: LoadedRenderer | null = null
let isMemoryReserved = false

/** Starts the module for the first picture. */
async function startModule(): Promise<void> {
  const { default: module } = await import('@takumi-rs/wasm/auto')
  // Nothing to wait for from here on: another request may have come first.
  initSync({ module })
  if (!isMemoryReserved) isolateMemory.reservePermanently(MODULE_BYTES)
  isMemoryReserved = true
  setGlyphCacheMaxBytes(GLYPH_CACHE_BYTES)
}

/** Returns the renderer, or a new one if that would have too many fonts with those that are needed. */
function getRenderer(needed: Set<FontPart>): LoadedRenderer {
  if (loaded && countBytes(loaded.parts.union(needed)) > MAX_FONT_BYTES) {
    loaded.renderer.free()
    loaded = null
  }
  loaded ??= { renderer: new Renderer(), parts: new Set() }
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

/** @throws Error if a font or the renderer can't be loaded, or the renderer fails. */
export async function renderPicture(
  assets: Fetcher,
  node: Node,
  { width, height }: PictureSize = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT },
): Promise<Uint8Array<ArrayBuffer>> {
  const text = getText(node)
  await startModule()
  fontParts ??= await (await fetchAsset(assets, FONTS)).json<FontPart[]>()
  const needed = selectParts(fontParts, text)
  const data = new Map<FontPart, ArrayBuffer>()
  let current: LoadedRenderer
  for (;;) {
    // Requests that have arrived come first: drawing lets nobody in between.
    await new Promise((resolve) => setTimeout(resolve))
    // While the fonts loaded, another picture may have replaced the renderer.
    current = getRenderer(needed)
    const { parts } = current
    const missing = [...needed].filter((part) => !parts.has(part) && !data.has(part))
    if (missing.length === 0) break
    await loadParts(assets, missing, data)
  }
  // The renderer waits for nothing, so from here on no other picture can free it.
  const { renderer, parts } = current
  try {
    for (const [part, bytes] of data) {
      if (parts.has(part)) continue
      const unicodeRange = part.ranges.map(([first, last]): [number, number] => [first, last])
      await renderer.registerFont({ name: part.family, data: bytes, unicodeRange })
      parts.add(part)
    }
    return await renderer.render(node, { width, height, format: 'png', fontFamilies: getFontStack(text) })
  } catch (error) {
    // It may be broken. The next picture gets a new one.
    loaded = null
    throw error
  }
}

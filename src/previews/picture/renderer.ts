import { initSync, type Node, Renderer, setGlyphCacheMaxBytes } from '@takumi-rs/wasm'
import { isolateMemory } from '../../platform/memory.ts'
import { FONTS } from '../../site/assets.generated.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../link-preview.tsx'

interface FontFile {
  readonly family: string
  readonly file: string
  readonly ranges: readonly (readonly [number, number])[]
}

interface LoadedFont {
  readonly name: string
  readonly file: string
  readonly data: ArrayBuffer
  readonly unicodeRange: [number, number][]
}

/** Each file is a subrequest, of which the free plan allows 50. Most texts need two. */
const MAX_FILES = 40
const TIMEOUT_MS = 5_000

let fontFiles: readonly FontFile[] | null = null

/** Reads a static file through the binding, for which only the path counts. */
async function fetchAsset(assets: Fetcher, path: string): Promise<Response> {
  const response = await assets.fetch(new URL(path, 'https://assets.invalid'), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${path} is missing: ${response.status}`)
  return response
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

const contains = ({ ranges }: FontFile, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

/** The fonts of the picture itself. The others are for characters that these don't have. */
const isOwn = (family: string): boolean => family === 'Mono' || family === 'Sans'

/** For each character, selects the first family that has it. */
function selectFiles(files: readonly FontFile[], text: string): FontFile[] {
  const stack = getFontStack(text)
  // The titles and labels are in `Sans`, code is in `Mono`.
  const selected = new Set<FontFile>(files.filter((file) => isOwn(file.family) && contains(file, 0x41)))
  const codePoints = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0))
  for (const codePoint of codePoints) {
    if (codePoint < 0x80) continue
    const found = files.filter((file) => contains(file, codePoint))
    // A letter may be in the title and in the code, so both fonts are needed.
    const own = found.filter(({ family }) => isOwn(family))
    const first = stack.find((family) => found.some((file) => file.family === family))
    for (const file of own.length > 0 ? own : found.filter(({ family }) => family === first))
      selected.add(file)
  }
  // There may be too many files of ideographs.
  return [...selected].sort((a, b) => Number(isOwn(b.family)) - Number(isOwn(a.family))).slice(0, MAX_FILES)
}

/** @throws Error if a file is missing or doesn't arrive in time. */
async function loadFonts(
  assets: Fetcher,
  text: string,
  has: (file: string) => boolean,
): Promise<LoadedFont[]> {
  fontFiles ??= await (await fetchAsset(assets, FONTS)).json<FontFile[]>()
  const needed = selectFiles(fontFiles, text).filter(({ file }) => !has(file))
  return Promise.all(
    needed.map(async ({ family, file, ranges }) => ({
      name: family,
      file,
      data: await (await fetchAsset(assets, `/assets/fonts/${file}`)).arrayBuffer(),
      unicodeRange: ranges.map(([first, last]): [number, number] => [first, last]),
    })),
  )
}

/** Fonts beyond this are dropped before the next picture: memory of the module that has grown never shrinks. */
const MAX_FONT_BYTES = 3 * 1024 * 1024
/** What the module takes with its fonts: 9 MB for most texts, 15 for ideographs. */
const MODULE_BYTES = 16 * 1024 * 1024
const GLYPH_CACHE_BYTES = 2 * 1024 * 1024

interface LoadedRenderer {
  readonly renderer: Renderer
  readonly files: Set<string>
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
  loaded ??= { renderer: new Renderer(), files: new Set(), fontBytes: 0 }
  return loaded
}

const getText = (node: Node): string =>
  node.type === 'text'
    ? node.text
    : node.type === 'container'
      ? (node.children ?? []).map(getText).join('')
      : ''

/** @throws Error if a font or the renderer can't be loaded, or the renderer fails. */
export async function renderPicture(assets: Fetcher, node: Node): Promise<Uint8Array<ArrayBuffer>> {
  const text = getText(node)
  const current = await getRenderer()
  const fonts = await loadFonts(assets, text, (file) => current.files.has(file))
  for (const { file, ...font } of fonts) {
    if (current.files.has(file)) continue
    await current.renderer.registerFont(font)
    current.files.add(file)
    current.fontBytes += font.data.byteLength
  }
  return current.renderer.render(node, {
    width: PICTURE_WIDTH,
    height: PICTURE_HEIGHT,
    format: 'png',
    fontFamilies: getFontStack(text),
  })
}

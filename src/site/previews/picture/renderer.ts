import { initSync, type Node, Renderer, setGlyphCacheMaxBytes } from '@takumi-rs/wasm'
import { isolateMemory } from '../../../platform/memory.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../picture-size.ts'
import { getFontStack, loadFonts } from './fonts.ts'

/** Fonts beyond this are dropped before the next picture: memory of the module that has grown never shrinks. */
const MAX_FONT_BYTES = 3 * 1024 * 1024
/** What the module takes with its fonts: 9 MB for most texts, 15 for ideographs. */
const MODULE_BYTES = 16 * 1024 * 1024
const GLYPH_CACHE_BYTES = 2 * 1024 * 1024

/** The renderer of this isolate, with the fonts that it knows. */
interface LoadedRenderer {
  readonly renderer: Renderer
  readonly files: Set<string>
  fontBytes: number
}

let loaded: LoadedRenderer | null = null
let isHeld = false

async function getRenderer(): Promise<LoadedRenderer> {
  // Another request may be about to use it, so the garbage collector frees it.
  if (loaded && loaded.fontBytes > MAX_FONT_BYTES) loaded = null
  if (loaded) return loaded
  const { default: module } = await import('@takumi-rs/wasm/auto')
  // Nothing to wait for from here on: another request may have come first.
  initSync({ module })
  if (!isHeld) isolateMemory.hold(MODULE_BYTES)
  isHeld = true
  setGlyphCacheMaxBytes(GLYPH_CACHE_BYTES)
  loaded ??= { renderer: new Renderer(), files: new Set(), fontBytes: 0 }
  return loaded
}

/** Returns the texts of a node, for which fonts are loaded. */
const getText = (node: Node): string =>
  node.type === 'text'
    ? node.text
    : node.type === 'container'
      ? (node.children ?? []).map(getText).join('')
      : ''

/**
 * Draws a picture, as PNG.
 *
 * @throws Error if a font or the renderer can't be loaded, or the renderer fails.
 */
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

import { FONTS } from '../../assets.generated.ts'

interface FontFile {
  readonly family: string
  readonly file: string
  readonly ranges: readonly (readonly [number, number])[]
}

/** A font with the characters that a picture needs. */
export interface LoadedFont {
  readonly name: string
  readonly file: string
  readonly data: ArrayBuffer
  readonly unicodeRange: [number, number][]
}

/** Each file is a subrequest, of which the free plan allows 50. Most texts need two. */
const MAX_FILES = 40
const TIMEOUT_MS = 5_000

/** The list of the files, once it is loaded in this isolate. */
let fontFiles: readonly FontFile[] | null = null

/** Reads a static file through the binding, for which only the path counts. */
async function fetchAsset(assets: Fetcher, path: string): Promise<Response> {
  const response = await assets.fetch(new URL(path, 'https://assets.invalid'), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${path} is missing: ${response.status}`)
  return response
}

/**
 * Returns the families in the order in which they are tried. Chinese, Japanese and Korean draw the same characters in
 * their own way, so kana and Hangul decide.
 */
export function getFontStack(text: string): string[] {
  const eastAsian = /[\u3041-\u30FF]/.test(text)
    ? ['Japanese', 'Chinese', 'Korean']
    : /[\u1100-\u11FF\uAC00-\uD7A3]/.test(text)
      ? ['Korean', 'Chinese', 'Japanese']
      : ['Chinese', 'Japanese', 'Korean']
  return ['Mono', 'Sans', 'Emoji', 'Thai', 'Devanagari', ...eastAsian]
}

const contains = ({ ranges }: FontFile, codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

/** Returns true for the fonts of the picture itself. The others are for characters that these don't have. */
const isOwn = (family: string): boolean => family === 'Mono' || family === 'Sans'

/** Returns the files that a text needs: for each character the first family that has it. */
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

/**
 * Returns the fonts with the characters of a text, from the static files.
 *
 * @param has tells whether a file was loaded before.
 * @throws Error if a file is missing or doesn't arrive in time.
 */
export async function loadFonts(
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

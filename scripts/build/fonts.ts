import { copyFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const PACKAGES = 'node_modules/@fontsource-variable'

/** The packages of the fonts in preview pictures, by the name of the family that the pictures use. */
const FAMILIES = {
  Mono: 'cascadia-mono',
  Sans: 'inter',
  Emoji: 'noto-emoji',
  Thai: 'noto-sans-thai',
  Devanagari: 'noto-sans-devanagari',
  Chinese: 'noto-sans-sc',
  Japanese: 'noto-sans-jp',
  Korean: 'noto-sans-kr',
} as const

/** The folders of the packages. */
export const FONT_PACKAGES: readonly string[] = Object.values(FAMILIES).map((name) => join(PACKAGES, name))

/** A file with some characters of a font. */
interface FontFile {
  readonly family: string
  readonly file: string
  /** The first and the last code point of each range of characters. */
  readonly ranges: readonly (readonly [number, number])[]
}

/** Parses the value of `unicode-range` in CSS, such as `U+0-FF,U+131`. */
const parseRanges = (value: string): [number, number][] =>
  value.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** Copies a file unless the copy is there. The names contain the version. */
async function copyOnce(source: string, target: string): Promise<void> {
  const present = await stat(target).catch(() => null)
  if (present?.size !== (await stat(source)).size) await copyFile(source, target)
}

async function copyFamily(family: string, name: string, out: string): Promise<FontFile[]> {
  const folder = join(PACKAGES, name)
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const subsets: Record<string, string> = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8'))
  return Promise.all(
    Object.entries(subsets).map(async ([subset, value]) => {
      const part = subset.replaceAll(/[[\]]/g, '')
      const file = `${name}-${version}-${part}.woff2`
      await copyOnce(join(folder, 'files', `${name}-${part}-wght-normal.woff2`), join(out, file))
      return { family, file, ranges: parseRanges(value) }
    }),
  )
}

/** Copies the fonts of preview pictures from their packages, and returns the list of the files as JSON. */
export async function copyFonts(out: string): Promise<string> {
  await mkdir(out, { recursive: true })
  const families = await Promise.all(
    Object.entries(FAMILIES).map(([family, name]) => copyFamily(family, name, out)),
  )
  const files = families.flat()
  const names = new Set(files.map(({ file }) => file))
  for (const name of await readdir(out)) if (!names.has(name)) await rm(join(out, name))
  return JSON.stringify(files)
}

import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

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

/** Some characters of a font, which are a part of a file. */
interface FontPart {
  readonly family: string
  readonly file: string
  /** The offset in the file, and the length, in bytes. */
  readonly at: number
  readonly bytes: number
  /** The first and the last code point of each range of characters. */
  readonly ranges: readonly (readonly [number, number])[]
}

/**
 * Bytes of parts in one file. A picture may need parts of all fonts, and Cloudflare's free plan allows 50 requests for
 * files, so there must be fewer files than that.
 */
const MAX_FILE_BYTES = 512 * 1024

/** Parses the value of `unicode-range` in CSS, such as `U+0-FF,U+131`. */
const parseRanges = (value: string): [number, number][] =>
  value.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })

/** The number of the table `cmap`, and of those that are usually transformed, in WOFF2 (§4.1). */
const [CMAP, GLYF, LOCA, OTHER_TAG] = [0, 10, 11, 63]
const WOFF2_HEADER_BYTES = 48

/** Returns the table of a WOFF2 file that lists its characters. */
function readCharacterTable(font: Buffer): Buffer {
  let at = WOFF2_HEADER_BYTES
  const readNumber = (): number => {
    let value = 0
    for (let byte = 0x80; byte & 0x80; at++) {
      byte = font.readUInt8(at)
      value = value * 0x80 + (byte & 0x7f)
    }
    return value
  }
  let [start, found, length] = [0, -1, 0]
  for (let table = 0, tables = font.readUInt16BE(12); table < tables; table++) {
    const flags = font.readUInt8(at++)
    const tag = flags & 63
    if (tag === OTHER_TAG) at += 4
    const originalLength = readNumber()
    const isTransformed = tag === GLYF || tag === LOCA ? flags >> 6 !== 3 : flags >> 6 !== 0
    const bytes = isTransformed ? readNumber() : originalLength
    if (tag === CMAP) [found, length] = [start, bytes]
    start += bytes
  }
  if (found === -1) throw new Error('A font has no table of characters')
  const data = brotliDecompressSync(font.subarray(at, at + font.readUInt32BE(20)))
  return data.subarray(found, found + length)
}

/** Returns the code points that a table of the formats 4 or 12 has glyphs for. */
function listCharacters(table: Buffer): Set<number> {
  const characters = new Set<number>()
  for (let record = 0; record < table.readUInt16BE(2); record++) {
    const subtable = table.subarray(table.readUInt32BE(4 + record * 8 + 4))
    const format = subtable.readUInt16BE(0)
    if (format === 12) {
      for (let group = 0; group < subtable.readUInt32BE(12); group++) {
        const at = 16 + group * 12
        for (let code = subtable.readUInt32BE(at); code <= subtable.readUInt32BE(at + 4); code++)
          characters.add(code)
      }
    } else if (format === 4) {
      const segments = subtable.readUInt16BE(6)
      for (let segment = 0; segment < segments; segment += 2) {
        const end = subtable.readUInt16BE(14 + segment)
        const start = subtable.readUInt16BE(16 + segments + segment)
        const offsetAt = 16 + 3 * segments + segment
        const offset = subtable.readUInt16BE(offsetAt)
        for (let code = start; code <= end && code < 0xffff; code++)
          if (offset === 0 || subtable.readUInt16BE(offsetAt + offset + (code - start) * 2) !== 0)
            characters.add(code)
      }
    }
  }
  return characters
}

/** Returns the ranges without the characters that the font lacks: packages name some that it lacks. */
function limitRanges(ranges: readonly [number, number][], font: Buffer): [number, number][] {
  const characters = listCharacters(readCharacterTable(font))
  const limited: [number, number][] = []
  for (const [first, last] of ranges)
    for (let code = first; code <= last; code++) {
      if (!characters.has(code)) continue
      const previous = limited.at(-1)
      if (previous?.[1] === code - 1) previous[1] = code
      else limited.push([code, code])
    }
  return limited
}

interface Part extends Omit<FontPart, 'file'> {
  readonly data: Buffer
}

interface PackedFile {
  readonly name: string
  readonly parts: Part[]
}

async function packFamily(family: string, name: string): Promise<PackedFile[]> {
  const folder = join(PACKAGES, name)
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const subsets: Record<string, string> = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8'))
  const files: PackedFile[] = []
  let end = 0
  // Most text is Latin, so its characters have a file of their own.
  let isAlone = true
  for (const [subset, value] of Object.entries(subsets).sort(
    ([a], [b]) => Number(b === 'latin') - Number(a === 'latin'),
  )) {
    const part = subset.replaceAll(/[[\]]/g, '')
    const data = await readFile(join(folder, 'files', `${name}-${part}-wght-normal.woff2`))
    if (isAlone || end + data.length > MAX_FILE_BYTES) {
      files.push({ name: `${name}-${version}-${files.length}.woff2s`, parts: [] })
      end = 0
    }
    isAlone = subset === 'latin'
    files.at(-1)?.parts.push({
      family,
      at: end,
      bytes: data.length,
      ranges: limitRanges(parseRanges(value), data),
      data,
    })
    end += data.length
  }
  return files
}

/** Copies the fonts of preview pictures from their packages, and returns the list of their parts as JSON. */
export async function copyFonts(out: string): Promise<string> {
  await mkdir(out, { recursive: true })
  const families = await Promise.all(
    Object.entries(FAMILIES).map(([family, name]) => packFamily(family, name)),
  )
  const files = families.flat()
  for (const { name, parts } of files) {
    const content = Buffer.concat(parts.map(({ data }) => data))
    // The names contain the version.
    const present = await stat(join(out, name)).catch(() => null)
    if (present?.size !== content.length) await writeFile(join(out, name), content)
  }
  const names = new Set(files.map(({ name }) => name))
  for (const name of await readdir(out)) if (!names.has(name)) await rm(join(out, name))
  const list = files.flatMap(({ name: file, parts }) =>
    parts.map(({ data: _, ...part }): FontPart => ({ ...part, file })),
  )
  return JSON.stringify(list)
}

import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../test/shared/detection-corpus/', import.meta.url)

/** Snippets are separated by lines such as `%%%% hello-world`. */
const SEPARATOR = /^%%%% (.+)\n/m

export interface Snippet {
  readonly language: string
  readonly name: string
  readonly text: string
  /** Whether the snippet is held out: nobody looks at it while improving detection. */
  readonly heldOut: boolean
}

/** Returns the FNV-1a hash of a text, a number from 0 to 2^32 - 1. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

/** The rule that holds out a quarter of the snippets. It depends only on their names. */
const isHeldOut = (language: string, name: string): boolean => hash(`${language}/${name}`) % 4 === 0

/** Reads the snippets of all languages. Each file of the corpus has the name of its language. */
export function readCorpus(): Snippet[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) => {
      const language = file.slice(0, -'.txt'.length)
      const parts = readFileSync(new URL(file, FOLDER), 'utf8').split(SEPARATOR).slice(1)
      return parts.flatMap((name, index) =>
        index % 2 === 0
          ? [{ language, name, text: parts[index + 1] ?? '', heldOut: isHeldOut(language, name) }]
          : [],
      )
    })
}

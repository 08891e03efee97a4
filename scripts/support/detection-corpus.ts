import { readdirSync, readFileSync } from 'node:fs'

const CODE = new URL('../../test/shared/detection-corpus/', import.meta.url)
/** The output of tools. One file is held out. */
const OUTPUTS = new URL('../../test/shared/output-corpus/', import.meta.url)

/** Snippets are separated by lines with their language and name, such as `%%%% python/hello-world`. */
const SEPARATOR = /^%%%% ([a-z]+)\/(.+)\n/m

export interface Snippet {
  readonly language: string
  readonly name: string
  readonly text: string
  /** Is true if the snippet is held out: nobody looks at it while improving detection. */
  readonly heldOut: boolean
}

/** Returns the FNV-1a hash of a text, a number from 0 to 2^32 - 1. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

/** The rule that holds out snippets. It depends only on their names. */
const isHeldOut = (language: string, name: string): boolean => hash(`${language}/${name}`) % 4 === 0

function readSnippets(file: URL, isHeldOut: (language: string, name: string) => boolean): Snippet[] {
  const parts = readFileSync(file, 'utf8').split(SEPARATOR).slice(1)
  return parts.flatMap((language, index) => {
    if (index % 3 !== 0) return []
    const [name = '', text = ''] = parts.slice(index + 1)
    return [{ language, name, text, heldOut: isHeldOut(language, name) }]
  })
}

/** Reads the snippets of all languages. */
export const readCorpus = (): Snippet[] =>
  readdirSync(CODE).flatMap((file) => readSnippets(new URL(file, CODE), isHeldOut))

export const readOutputs = (): Snippet[] => [
  ...readSnippets(new URL('tuning.txt', OUTPUTS), () => false),
  ...readSnippets(new URL('held-out.txt', OUTPUTS), () => true),
]

import type { TextFile } from './txtar.ts'

/** What pages and commands do with the files of a document. */

/** The file that says what the others are. */
const INTRODUCTION = /^(?:readme|index)\.md$/i

/** The order of a page: what introduces the files comes first. */
export function orderFiles<File extends Pick<TextFile, 'name'>>(files: readonly File[]): readonly File[] {
  const first = files.find(({ name }) => INTRODUCTION.test(name))
  return first ? [first, ...files.filter((file) => file !== first)] : files
}

/** Tells whether a page shows the file rendered at first. */
export const isIntroduction = (name: string): boolean => INTRODUCTION.test(name)

/**
 * The parts of addresses that lead to files with these names, such as `main-py`. One without a hyphen could be the id of
 * something else on the page, or look like a line.
 */
export function toSlugs(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const words = name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '')
    const base = words.includes('-') ? words : `file-${words || 'unnamed'}`
    let slug = base
    for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`
    taken.add(slug)
    return slug
  })
}

/** Splits `main-py-L3-L9` into the slug and the lines. */
export function parseFileFragment(fragment: string): {
  readonly slug: string
  readonly lines: string | null
} {
  const [, slug = fragment, lines = null] = /^(.+?)-(L\d{1,9}(?:-L\d{1,9})?)$/.exec(fragment) ?? []
  return { slug, lines }
}

/** More than the longest run of backticks in a text, so that it ends at none of them. */
const fence = (text: string, min: number): string =>
  '`'.repeat(Math.max(min, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))

/** The files one after another, each with its name and in a code block. */
export function formatAsMarkdown(files: readonly TextFile[]): string {
  const blocks = files.map(({ name, content, language = '' }) => {
    const [quote, block] = [fence(name, 1), fence(content, 3)]
    const space = name.startsWith('`') || name.endsWith('`') ? ' ' : ''
    const end = content === '' || content.endsWith('\n') ? '' : '\n'
    return `${quote}${space}${name}${space}${quote}\n\n${block}${language}\n${content}${end}${block}\n`
  })
  return blocks.join('\n')
}

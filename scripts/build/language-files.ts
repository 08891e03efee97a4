import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import * as grammars from '../../src/client/highlight/grammars.ts'
import { LANGUAGES, PLAIN_TEXT } from '../../src/shared/languages.ts'
import { writeIfChanged } from './write-if-changed.ts'

const SOURCES = resolve('src/client')
const GRAMMARS = join(SOURCES, 'highlight/grammars.ts')

/** Grammars come with what a code editor needs beside them. Where text is only read, nothing of it is ever called. */
const EDITOR_PACKAGES = /^@codemirror\/(autocomplete|lint|state|view)$/

/** Puts something without a function in the place of these packages: they would be most of each file. */
const withoutEditor: Plugin = {
  name: 'without-editor',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: EDITOR_PACKAGES }, ({ path }) => ({ path, namespace: 'without-editor' }))
    onLoad({ filter: /./, namespace: 'without-editor' }, async ({ path }) => {
      const names = Object.keys(await import(path))
      return {
        contents: `const nothing = new Proxy(function () {}, {
            get: (_, key) => (key === Symbol.toPrimitive ? () => '' : nothing),
            apply: () => nothing,
            construct: () => nothing,
          })
          export { ${names.map((name) => `nothing as ${name}`).join(', ')} }`,
      }
    })
  },
}

/**
 * Tells whether a function such as `html()` returns the constant `htmlLanguage`, and beside it what only a code editor
 * needs.
 */
async function hasConstant(source: string, name: string): Promise<boolean> {
  const exported = await import(source)
  const language = exported[`${name}Language`]
  return language !== undefined && language === exported[name]().language
}

/** Makes `await import()` an import that doesn't wait, so that the bundler leaves out what a grammar doesn't need. */
const withoutWaiting: Plugin = {
  name: 'without-waiting',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]highlight[\\/]grammars\.ts$/ }, async ({ path }) => {
      const imports: string[] = []
      let code = await readFile(path, 'utf8')
      for (const [call, source = '', name = ''] of code.matchAll(
        /\(await import\('([^']+)'\)\)\.(\w+)\(\)/g,
      )) {
        if (await hasConstant(source, name))
          code = code.replace(call, `({ language: (await import('${source}')).${name}Language })`)
      }
      code = code.replaceAll(/await import\(('[^']+')\)/g, (_, source) => {
        imports.push(`import * as grammar${imports.length} from ${source}`)
        return `grammar${imports.length - 1}`
      })
      return { contents: [...imports, code].join('\n'), loader: 'ts' }
    })
  },
}

const writeEntry = (language: string): string =>
  language in grammars
    ? `import { ${language} } from ${JSON.stringify(GRAMMARS)}
       import { getCodeTokens } from './highlight/code-tokens.ts'
       import { getDiffTokens } from './highlight/diff.ts'
       import { createStart } from './viewer/highlighting/highlighting.ts'
       const { parser } = (await ${language}()).language
       export const getTokens = (text, maxMs) => getCodeTokens(parser, text, maxMs)
       export const startHighlighting = createStart(${
         language === 'diff' ? '(text) => ({ tokens: getDiffTokens(text), end: text.length })' : 'getTokens'
})`
    : // No request for a language that the service knows may fail.
      'export {}'

/** Each language is an entry point. */
const entries: Plugin = {
  name: 'entries',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^language:/ }, ({ path }) => ({ path, namespace: 'language' }))
    onLoad({ filter: /./, namespace: 'language' }, ({ path }) => ({
      contents: writeEntry(path.slice('language:'.length)),
      resolveDir: SOURCES,
    }))
  },
}

/** The options that build the code for the colours of each language, in one file for each. */
export const LANGUAGE_OPTIONS: BuildOptions = {
  entryPoints: LANGUAGES.filter(({ name }) => name !== PLAIN_TEXT).map(({ name }) => ({
    in: `language:${name}`,
    out: name,
  })),
  bundle: true,
  // Each file has all that it needs.
  splitting: false,
  format: 'esm',
  minify: true,
  plugins: [entries, withoutWaiting, withoutEditor],
}

interface LanguageFiles {
  readonly paths: readonly string[]
  /** The path of each up to the name of the language. One hash for all takes the least space in pages and in the Worker. */
  readonly prefix: string
}

export async function buildLanguageFiles(folder: string, target: string[]): Promise<LanguageFiles> {
  const { outputFiles } = await build({
    ...LANGUAGE_OPTIONS,
    target,
    outdir: folder,
    write: false,
    logLevel: 'warning',
  })
  const hash = createHash('sha256')
  for (const { contents } of outputFiles) hash.update(contents)
  const prefix = join(folder, `${hash.digest('hex').slice(0, 8).toUpperCase()}-`)
  const written = outputFiles.map(({ path, contents }) => ({
    path: path.replace(`${resolve(folder)}/`, prefix),
    contents,
  }))
  await Promise.all(written.map(({ path, contents }) => writeIfChanged(path, contents)))
  return { paths: written.map(({ path }) => path), prefix }
}

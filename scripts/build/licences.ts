import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { CommandError, ROOT, relativePath } from '../support/script.ts'
import { NOT_BUNDLED } from './diagrams.ts'
import { FONT_PACKAGES } from './fonts.ts'
import { bundleWorker } from './worker.ts'

/** A package whose code is in what Regent deploys. */
interface BundledPackage {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly licence: string
  /** The text of the licence, with the copyright. */
  readonly text: string
}

/** Returns the source files of a bundle, which is not written. */
async function listInputs(entryPoints: readonly string[], options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    logLevel: 'error',
    ...options,
    metafile: true,
    write: false,
    absWorkingDir: ROOT,
  })
  // What was left out of the bundle has no bytes in it.
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
}

async function listWorkerInputs(): Promise<string[]> {
  const { modules } = await bundleWorker()
  return modules.flatMap((chunk) =>
    Object.entries(chunk.modules).flatMap(([path, { renderedLength }]) =>
      renderedLength > 0 ? [relativePath(ROOT, path)] : [],
    ),
  )
}

async function listClientInputs(): Promise<string[]> {
  const files = await readdir(join(ROOT, 'src/client'), { recursive: true })
  const scripts = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  return listInputs(
    scripts.map((file) => join('src/client', file)),
    { minify: true, external: NOT_BUNDLED },
  )
}

/** Returns the folder of the package that a source file belongs to; null for our own files. */
export const findPackageFolder = (path: string): string | null =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null

/**
 * Returns the text of the licence, which some packages leave out although it asks to be included
 * (opensource.org/license/mit).
 */
const formatMitText = (author: string) => `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

async function readPackage(folder: string): Promise<BundledPackage> {
  const {
    name,
    version,
    license: stated = '',
    author,
  } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'))
  const files = await readdir(join(ROOT, folder))
  const file = files.find((candidate) => /^licen[cs]e/i.test(candidate))
  const text = file && (await readFile(join(ROOT, folder, file), 'utf8')).replaceAll('\r\n', '\n').trim()
  // Some packages say it in their text only.
  const licence = stated || (/^(?:The )?MIT License\b/.test(text ?? '') ? 'MIT' : '')
  const missing = /\bMIT\b/.test(licence)
    ? formatMitText(author?.name ?? author ?? `the authors of ${name}`)
    : ''
  return { name, version, licence, text: text || missing }
}

/** Returns the packages in the Worker, in the scripts of the site and in its fonts, in order of their names. */
async function listBundledPackages(): Promise<BundledPackage[]> {
  const inputs = await Promise.all([listWorkerInputs(), listClientInputs()])
  const bundled = inputs.flat().flatMap((path) => findPackageFolder(path) ?? [])
  const folders = new Set([...bundled, ...FONT_PACKAGES])
  const packages = await Promise.all([...folders].map(readPackage))
  return packages.sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** Licences that let us bundle a package without publishing our own code under them. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
])

/** Returns true if an SPDX expression offers a permissive licence. */
export const isPermissive = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => PERMISSIVE.has(licence.trim())))

const RULE = '-'.repeat(80)

const INTRODUCTION = `Third-party software in Regent

The Worker, the scripts of the site and its fonts contain these packages. Each text applies to the packages above it.
`

/** Returns the notice that is published with the bundles: every package with its licence, and each text once. */
export function formatNotice(packages: readonly BundledPackage[]): string {
  const groups = Map.groupBy(packages, ({ text }) => text)
  const sections = [...groups].map(([text, members]) => {
    const names = members.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
    return `${RULE}\n${names.join('\n')}\n\n${text}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

/**
 * Returns the notice of the packages in the Worker, in the site's scripts and in its fonts, which their licences ask to
 * publish.
 *
 * @throws CommandError if one of them has no permissive licence.
 */
export async function createNotice(): Promise<string> {
  const packages = await listBundledPackages()
  const unusable = packages.filter(({ licence, text }) => !isPermissive(licence) || text === '')
  if (unusable.length > 0) {
    const names = unusable.map(({ name, licence }) => `${name} (${licence || 'no licence'})`)
    throw new CommandError(`These packages have no permissive licence, or not its text: ${names.join(', ')}`)
  }
  return formatNotice(packages)
}

import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { parseOptions } from '../../scripts/support/script.ts'
import { CommandError } from '../../scripts/support/wrangler.ts'

const HELP = `Generates three TypeScript clients from a server's OpenAPI document, compiles a program for each, and runs it.

Usage: npm run torture -- generators [options]

  --url URL            the server (default http://127.0.0.1:8787, which "npm run dev" starts)
  --key KEY            an API key
  --help               show this help

The generators come from npm and take 120 MB, so they are installed into a temporary folder.
`

/** Exact, so that the same command does the same next year. TypeScript is the newest that all of them accept. */
const PACKAGES = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'typescript@5.9.3',
]

interface Generator {
  readonly name: string
  readonly command: readonly string[]
  /** Defines `create`, `read`, `edit`, `list`, `remove` and `refuse` with the generated client, as its manual shows it. */
  readonly program: string
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: ['openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.d.ts'],
    program: `
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript'

type NewDocument = components['schemas']['NewDocument']
type DocumentChange = components['schemas']['DocumentChange']

const client = createClient<paths>({ baseUrl: url, headers: { Authorization: key } })

async function create(body: NewDocument) {
  const { data, error } = await client.POST('/v1/document', { body })
  if (error) throw new Error(error.error.message)
  return data.data
}

async function read(id: string) {
  const { data, error } = await client.GET('/v1/document/{id}', { params: { path: { id } } })
  if (!data) throw new Error(error?.error.message)
  return data.data
}

async function edit(body: DocumentChange) {
  const { data, error } = await client.PATCH('/v1/document', { body })
  if (error) throw new Error(error.error.message)
  return data.data
}

async function list(limit: number) {
  const { data, error } = await client.GET('/v1/users/@me/documents', { params: { query: { limit } } })
  if (error) throw new Error(error.error.message)
  return data.data.documents
}

async function remove(id: string) {
  const { response } = await client.DELETE('/v1/document/{id}', { params: { path: { id } } })
  return response.status
}

async function refuse(body: NewDocument) {
  const { error } = await client.POST('/v1/document', { body })
  return error?.error
}
`,
  },
  {
    name: 'hey-api',
    command: ['openapi-ts', '--input', 'openapi.json', '--output', 'hey-api'],
    program: `
import {
  createDocument, deleteDocument, editDocument, listDocuments, readDocument, type DocumentChange, type NewDocument,
} from './hey-api'
import { client } from './hey-api/client.gen'

client.setConfig({ baseUrl: url, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) })

async function create(body: NewDocument) {
  const { data } = await createDocument({ body, throwOnError: true })
  return data.data
}

async function read(id: string) {
  const { data } = await readDocument({ path: { id }, throwOnError: true })
  return data.data
}

async function edit(body: DocumentChange) {
  const { data } = await editDocument({ body, throwOnError: true })
  return data.data
}

async function list(limit: number) {
  const { data } = await listDocuments({ query: { limit }, throwOnError: true })
  return data.data.documents
}

async function remove(id: string) {
  const { response } = await deleteDocument({ path: { id } })
  return response?.status
}

async function refuse(body: NewDocument) {
  const { error } = await createDocument({ body })
  return error?.error
}
`,
  },
  {
    name: 'orval',
    command: ['orval', '--input', 'openapi.json', '--output', 'orval-client.ts', '--client', 'fetch'],
    program: `
import {
  createDocument, deleteDocument, editDocument, listDocuments, readDocument, type DocumentChange, type NewDocument,
} from './orval-client'

const options = { headers: { Authorization: key } }
const send = globalThis.fetch
globalThis.fetch = (path, init) => send(new URL(String(path), url), init)

async function create(body: NewDocument) {
  const { status, data } = await createDocument(body, options)
  if (status !== 200) throw new Error(data.error.message)
  return data.data
}

async function read(id: string) {
  const { status, data } = await readDocument(id, {}, options)
  if (status !== 200) throw new Error(status === 304 ? 'not changed' : data.error.message)
  return data.data
}

async function edit(body: DocumentChange) {
  const { status, data } = await editDocument(body, options)
  if (status !== 200) throw new Error(data.error.message)
  return data.data
}

async function list(limit: number) {
  const { status, data } = await listDocuments({ limit }, options)
  if (status !== 200) throw new Error(data.error.message)
  return data.data.documents
}

async function remove(id: string) {
  const { status } = await deleteDocument(id, options)
  return status
}

async function refuse(body: NewDocument) {
  const { status, data } = await createDocument(body, options)
  return status === 200 ? undefined : data.error
}
`,
  },
]

/** Comes after each program. What was read is sent back as it is, so the types of answers have to fit requests. */
const SCENARIO = `
const plain = await create({ content: 'one' })
const { id } = await create({ content: 'two', settings: { language: 'markdown', expiration: null } })
const { content, settings, timestamps } = await read(id)
const changed = await edit({ id, content: content + ' and three', settings: { ...settings, expiration: timestamps.expiration } })
const titles: (string | null)[] = (await list(2)).map(({ title }) => title)
const hint: string | undefined = (await refuse({ content: '' }))?.hint
const statuses = [await remove(id), await remove(plain.id)]
console.log(JSON.stringify({ content: changed.content, language: changed.settings.language, titles, hint, statuses }))
`

const EXPECTED = {
  content: 'two and three',
  language: 'markdown',
  titles: ['two and three', 'one'],
  hint: 'content: Too small: expected string to have >=1 characters',
  statuses: [204, 204],
}

const PREAMBLE = `
declare const process: { readonly env: Readonly<Record<string, string>> }
const { url = '', key = '' } = process.env
`

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  },
  files: GENERATORS.map(({ name }) => `${name}-program.ts`),
}

const execute = promisify(execFile)

/** Runs a command in a folder and returns what it printed. A failure is a CommandError that shows it. */
async function run(folder: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [file = '', ...args] = command
  try {
    const { stdout } = await execute(file, args, { cwd: folder, env: { ...process.env, ...env } })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new CommandError(`"${command.join(' ')}" failed:\n${stdout}${stderr}`)
  }
}

async function fetchDescription(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/openapi.json`).catch(() => null)
  if (!response?.ok) throw new CommandError(`${url} has no OpenAPI document.`)
  return response.text()
}

async function check({ name }: Generator, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(folder, `${name}-program.ts`)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  const printed = (await run(folder, [process.execPath, file], env)).trim()
  if (printed !== JSON.stringify(EXPECTED))
    throw new CommandError(`${name}: ${printed}, not ${JSON.stringify(EXPECTED)}`)
  process.stdout.write(`${name}: created, read, edited, listed and deleted documents\n`)
}

export async function generators(): Promise<void> {
  const values = parseOptions(HELP, {
    url: { type: 'string', default: 'http://127.0.0.1:8787' },
    key: { type: 'string', default: '' },
  })
  const { url, key } = values
  if (key === '') throw new CommandError('--key is missing. See: npm run torture -- generators --help')
  const description = await fetchDescription(url)
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'regent-generators-'))
  const folder = temporary.path
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write('package.json', '{"private": true, "type": "module"}')
  await write('openapi.json', description)
  await write('tsconfig.json', JSON.stringify(TSCONFIG))
  process.stdout.write(`Installing ${PACKAGES.join(', ')} …\n`)
  await run(folder, [
    'npm',
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--save-exact',
    ...PACKAGES,
  ])
  for (const { name, command, program } of GENERATORS) {
    await run(folder, ['npx', '--no-install', ...command])
    await write(`${name}-program.ts`, PREAMBLE + program + SCENARIO)
  }
  await run(folder, ['npx', '--no-install', 'tsc', '-p', '.'])
  process.stdout.write(`tsc --strict: no errors in ${GENERATORS.length} clients\n`)
  for (const generator of GENERATORS) await check(generator, folder, { url, key })
}

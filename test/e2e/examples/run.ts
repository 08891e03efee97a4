import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { documentCommands } from '../../../scripts/admin/documents.ts'
import { userCommands } from '../../../scripts/admin/user.ts'
import { runner } from '../../scripts/support/commands.ts'
import { addAccount } from '../support/accounts.ts'
import { openStorage } from '../support/database.ts'
import { createDocument } from '../support/documents.ts'
import { ROOT, type Service } from '../support/service.ts'

/** Fills in the placeholders of the examples. Each example gets its own documents. */
interface Values {
  readonly base: string
  readonly key: string
}

interface Created {
  readonly id: string
  readonly password: string
  readonly token: string
}

async function create({ base }: Values, key: string, settings?: object): Promise<Created> {
  const response = await fetch(`${base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify({ content: 'one\ntwo\nthree\n', settings }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { data: { id: string; password?: string } }
  return { id: data.id, password: data.password ?? '', token: response.headers.get('X-Document-Token') ?? '' }
}

/** The addresses that examples use for a server. */
const ADDRESSES = /http:\/\/(?:127\.0\.0\.1|localhost):8787|https:\/\/paste\.example\.org/g
const KEY = 'imperial_…'
const TOKEN = 'regent_doc_…'
const USERNAME = /(?<=\/@)ada\b/g
const DOCUMENT = /\b7hBqKz4n\b/g
const ENCRYPTED = /\bGBmG7rcm\b/g
const ENCRYPTED_PASSWORD = 'bj4qFDxCzxTrgk2wpWdDXT7n'
/** An encrypted document in a command that sends a password. */
const DOCUMENT_WITH_PASSWORD = /(?<=\/)ID\b(?=.*X-Document-Password)/g
const ANY_DOCUMENT = /(?<=\/)ID\b/g
const ANY_PASSWORD = /(?<=X-Document-Password: |PASSWORD=')…/g

export const PLACEHOLDERS = `\
  http://127.0.0.1:8787, https://paste.example.org: the server
  ${KEY}: an API key
  /@ada: the username of that key's account
  7hBqKz4n: a document of that key's account, or an anonymous document if the example contains ${TOKEN}
  GBmG7rcm, ${ENCRYPTED_PASSWORD}: an encrypted document and its password
  /ID: any document, or an encrypted document before "X-Document-Password: …"`

async function findUsername({ base, key }: { base: string; key: string }): Promise<string> {
  const response = await fetch(`${base}/v1/users/@me`, { headers: { Authorization: key } })
  const { data } = (await response.json()) as { data: { username: string } }
  return data.username
}

/** Returns an example with the address of the running server, a key and documents. */
export async function fillPlaceholders(text: string, { base }: Service, key: string): Promise<string> {
  const values = { base, key }
  const has = (pattern: RegExp) => text.search(pattern) !== -1
  const ordinary = has(DOCUMENT) || has(ANY_DOCUMENT)
  const document = ordinary ? await create(values, text.includes(TOKEN) ? '' : key) : undefined
  const username = has(USERNAME) ? await findUsername(values) : ''
  const secret = has(ENCRYPTED) || has(DOCUMENT_WITH_PASSWORD)
  const encrypted = secret ? await create(values, key, { encrypted: true }) : undefined
  return text
    .replace(ADDRESSES, base)
    .replaceAll(KEY, key)
    .replace(USERNAME, username)
    .replaceAll(TOKEN, document?.token ?? TOKEN)
    .replace(DOCUMENT, document?.id ?? '')
    .replace(ENCRYPTED, encrypted?.id ?? '')
    .replaceAll(ENCRYPTED_PASSWORD, encrypted?.password ?? '')
    .replace(DOCUMENT_WITH_PASSWORD, encrypted?.id ?? '')
    .replace(ANY_DOCUMENT, document?.id ?? '')
    .replace(ANY_PASSWORD, encrypted?.password ?? '')
}

/** Returns the arguments of a script: the server, an encrypted burn-after-reading document and its password. */
export async function scriptArguments({ base }: Service, key: string): Promise<string[]> {
  const { id, password } = await create({ base, key }, key, { encrypted: true, instant_delete: true })
  return [base, id, password]
}

const TIMEOUT_MS = 60_000

/** Programs and Python modules that a developer may not have. If any other is missing, the test fails. */
const OPTIONAL = ['curl', 'wget', 'jose', 'jwcrypto', 'python3', 'requests', 'openssl', 'pastebinit', 'xclip']

/** Files that examples may read. */
export const FILES = [
  'README.md',
  'script',
  'secrets.env',
  'notes.txt',
  'notes.md',
  'text.txt',
  'file.txt',
  'build.log',
  'main.py',
  'f',
] as const

export interface Outcome {
  readonly code: number
  readonly output: string
  /** A program that the example needs, but that isn't installed. */
  readonly missing: string | undefined
}

/** Creates the folder for the examples of one file. Later examples find files that earlier examples wrote. */
export async function makeFolder(service: Service, key: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-examples-'))
  // Makes an example with curl fail if the server returns an error.
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nshow-error\n')
  await writeFile(join(folder, '.env'), '')
  for (const name of FILES) await writeFile(join(folder, name), 'Hello from a file\n')
  // A repository with a change, for "git diff".
  await run(folder, 'bash', ['-c', 'git init -q && git add notes.md && echo changed >> notes.md'], key)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'bin'))
  const regent = join(folder, 'bin', 'regent')
  const command = `REGENT_URL=${service.base} REGENT_KEY=${key} exec '${process.execPath}' '${ROOT}cli/bin/regent.js' "$@"`
  await writeFile(regent, `#!/bin/sh\n${command}\n`)
  await chmod(regent, 0o755)
  return folder
}

const MISSING = /(?<program>[\w-]+): command not found|No module named '(?<module>\w+)'/

/** Runs a program in a folder, without input, and returns what it prints. */
function run(folder: string, program: string, args: readonly string[], key: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        HOME: folder,
        CURL_HOME: folder,
        XDG_CONFIG_HOME: join(folder, '.config'),
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        EDITOR: 'true',
        REGENT_KEY: key,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      const { program: command, module } = MISSING.exec(output)?.groups ?? {}
      const missing = OPTIONAL.find((name) => name === (command ?? module))
      resolve({ code: code ?? 1, output, missing })
    })
  })
}

/** Runs commands as if they were pasted into a terminal. Later examples keep the variables that they set. */
export async function runShell(folder: string, text: string, key: string): Promise<Outcome> {
  const script = `set -a -e -o pipefail\n. ./.env\n${text}\nexport -p > .env\n`
  await writeFile(join(folder, 'example.sh'), script)
  return run(folder, 'bash', ['example.sh'], key)
}

/** Runs a script with Node or Python. */
export async function runScript(
  folder: string,
  { text, extension, args }: { text: string; extension: 'mjs' | 'ts' | 'py'; args: readonly string[] },
  key: string,
): Promise<Outcome> {
  const name = `example.${extension}`
  await writeFile(join(folder, name), text)
  const program = extension === 'py' ? 'python3' : process.execPath
  return run(folder, program, [name, ...args], key)
}

const COMMAND = /^npm run admin -- (user|documents) (.*?)(?:\s+#.*)?$/

/** Returns true if every line is an operator's command. Those run in this process, because wrangler takes seconds. */
export const isForOperator = (text: string): boolean =>
  text
    .trim()
    .split('\n')
    .every((line) => COMMAND.test(line))

let accounts = 0

/** Runs lines such as `npm run admin -- user key ada --name laptop`, each with its own account, key and document. */
export async function runForOperator(
  line: string,
  service: Service,
): Promise<{ code: number; stderr: string }> {
  const [, group, words = ''] = COMMAND.exec(line) ?? []
  accounts += 1
  const username = `example-account-${accounts}`
  const storage = openStorage(service.env)
  const user = runner(userCommands, storage)
  const replace = new Map([
    ['ada', username],
    ['NAME', username],
    ['ADDRESS', `${username}@example.org`],
    ['data', service.folder],
    ['ada.zip', join(dirname(service.folder), `${username}.zip`)],
  ])
  if (!words.startsWith('add ')) {
    const { key } = await addAccount(service.env, username)
    const { key_id } = JSON.parse((await user('key', username, '--json')).stdout) as { key_id: string }
    replace.set('KEYID', key_id)
    // An example may remove its document, and nobody can share a removed text again.
    replace.set('ID', (await createDocument(service, key, `text ${accounts}`)).id)
  }
  const args = (words.match(/'[^']*'|\S+/g) ?? []).map(
    (word) => replace.get(word) ?? word.replace(/^'|'$/g, ''),
  )
  const documents = runner(documentCommands, storage)
  if (words.startsWith('restore ID') && group === 'documents')
    await documents('remove', replace.get('ID') ?? '', '--reason', 'a mistake')
  // It opens the storage by itself.
  if (words.startsWith('export ')) args.push('--data', service.folder)
  const run = group === 'user' ? user : documents
  const { code, stderr } = await run(...args.map((word) => word.replace('ada@', `${username}@`)))
  return { code, stderr }
}

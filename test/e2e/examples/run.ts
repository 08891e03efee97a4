import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentCommands } from '../../../scripts/admin/documents.ts'
import { userCommands } from '../../../scripts/admin/user.ts'
import { runner } from '../../scripts/support/commands.ts'
import { addAccount } from '../support/accounts.ts'
import { openStorage } from '../support/database.ts'
import { createDocument } from '../support/documents.ts'
import { ROOT, type Service } from '../support/service.ts'

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
  const storage = openStorage(service.folder)
  const user = runner(userCommands, storage)
  const replace = new Map([['ada', username]])
  if (!words.startsWith('add ')) {
    const { key } = await addAccount(service.folder, username)
    const { key_id } = JSON.parse((await user('key', username, '--json')).stdout) as { key_id: string }
    replace.set('KEYID', key_id)
    // An example may remove its document, and nobody can share a removed text again.
    replace.set('ID', (await createDocument(service, key, `text ${accounts}`)).id)
  }
  const args = (words.match(/'[^']*'|\S+/g) ?? []).map(
    (word) => replace.get(word) ?? word.replace(/^'|'$/g, ''),
  )
  const run = group === 'user' ? user : runner(documentCommands, storage)
  const { code, stderr } = await run(...args.map((word) => word.replace('ada@', `${username}@`)))
  return { code, stderr }
}

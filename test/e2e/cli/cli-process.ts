import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { run } from '../../../cli/src/run.ts'
import { createFakeTerminal } from '../../cli/support/fake-terminal.ts'
import { ROOT } from '../support/service.ts'

let bundled: Promise<string> | undefined

/** Bundles the program into one file, which starts three times as fast as its sources. Returns its path. */
async function bundleProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const outfile = join(folder, 'regent.mjs')
  await build({
    entryPoints: [join(ROOT, 'cli/src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
  return outfile
}

interface Options {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function readAll(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Waits until a process has ended, and returns its output. */
export async function waitForEnd(child: ChildProcess): Promise<Ended> {
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [stdout, stderr, code] = await Promise.all([readAll(child.stdout), readAll(child.stderr), ended])
  return { code, stdout, stderr }
}

/** A home folder of its own for the command line, and the server that it uses. */
export interface CliHome {
  readonly folder: string
  /** The path of the program. */
  readonly program: string
  /** What processes started in it need. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a command line in this process, which takes less than a tenth of the time. */
  readonly run: (args: readonly string[], options?: Options) => Promise<Ended>
  /** Runs it and returns what it prints. Throws if it fails. */
  readonly print: (args: readonly string[], options?: Options) => Promise<string>
  /** Runs a command line in a process of its own, to its end. */
  readonly spawn: (
    args: readonly string[],
    options: Options & { readonly onStart: (child: ChildProcess) => void },
  ) => Promise<Ended>
  /** Runs a line in bash, where `regent` is the command line. */
  readonly shell: (line: string) => Promise<Ended>
  /** Returns the paths of all files in the folder, with their access rights. */
  readonly listFiles: () => Promise<readonly (readonly [path: string, mode: string])[]>
  readonly readHomeFile: (path: string) => Promise<string>
  readonly remove: () => Promise<void>
}

export async function createCliHome(server: string): Promise<CliHome> {
  bundled ??= bundleProgram()
  const program = await bundled
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, REGENT_URL: server, TERM: 'xterm' }
  const runHere: CliHome['run'] = async (args, { env: more, ...options } = {}) => {
    const { terminal, stdout, stderr } = createFakeTerminal({ ...options, env: { ...env, ...more } })
    const code = await run(args, { ...terminal, now: Date.now })
    return { code, stdout: stdout(), stderr: stderr() }
  }
  return {
    folder,
    program,
    env,
    run: runHere,
    print: async (args, options) => {
      const { code, stdout, stderr } = await runHere(args, options)
      if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`)
      return stdout
    },
    spawn: (args, { stdin, onStart, env: more }) => {
      const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...env, ...more } })
      // A process that ends early doesn't read all of it.
      child.stdin.on('error', () => {})
      child.stdin.end(stdin ?? '')
      onStart(child)
      return waitForEnd(child)
    },
    shell: (line) => {
      const script = `regent() { '${process.execPath}' '${program}' "$@"; }\n${line}`
      return waitForEnd(spawn('bash', ['-c', script], { cwd: folder, env }))
    },
    listFiles: async () => {
      const files = await readdir(folder, { recursive: true, withFileTypes: true })
      const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
      return Promise.all(
        paths.map(async (path) => {
          const mode = ((await stat(path)).mode & 0o777).toString(8)
          return [path.slice(folder.length + 1), mode] as const
        }),
      )
    },
    readHomeFile: (path) => readFile(join(folder, path), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

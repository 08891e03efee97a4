import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ROOT, relativePath } from './script.ts'

/**
 * Skips a step of the build if it would write what is there. A record in `dist` has a hash of what all steps read, and one of
 * what this step wrote.
 */

/** Paths are relative to a root. A folder stands for the files in it. */
interface Files {
  readonly paths: readonly string[]
  /** Files in these folders that don't count. */
  readonly except?: readonly string[]
}

interface Step {
  readonly inputs: Files
  readonly outputs: Files
}

const ADDRESSES = 'src/ui/assets.generated.ts'
const LICENCES = 'dist/client/assets/licences.txt'

const INPUTS: Files = {
  paths: [
    'src',
    'public',
    'scripts',
    'server',
    'migrations',
    'package.json',
    'package-lock.json',
    // npm lists there what it has installed.
    'node_modules/.package-lock.json',
    'tsconfig.json',
  ],
  except: [ADDRESSES],
}

/** The files that each step writes. The worker's step writes into the folder of the client's. */
const OUTPUTS = {
  client: { paths: ['dist/client', ADDRESSES], except: [LICENCES] },
  worker: { paths: ['dist/worker', LICENCES] },
  server: { paths: ['dist/compressed', 'dist/server'] },
} satisfies Record<string, Files>

export type StepName = keyof typeof OUTPUTS

function listFiles(root: string, { paths, except = [] }: Files): string[] {
  const files = paths.flatMap((path) => {
    const whole = resolve(root, path)
    if (!statSync(whole, { throwIfNoEntry: false })?.isDirectory()) return [whole]
    const entries = readdirSync(whole, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  })
  return files.filter((file) => !except.includes(relativePath(root, file))).sort()
}

/** Returns null for a file that can't be read: if it's needed, the build says so. */
function readOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

/** Hashes contents: another branch gives files new times. */
function hashInputs(root: string, inputs: Files): string {
  const hash = createHash('sha256')
  for (const file of listFiles(root, inputs)) {
    hash.update(`\0${relativePath(root, file)}\0`).update(readOrNull(file) ?? '\0missing')
  }
  return hash.digest('hex')
}

/** Hashes sizes: there are 50 MB, and a copy of the folder has new times. */
function hashOutputs(root: string, outputs: Files): string {
  const hash = createHash('sha256')
  for (const file of listFiles(root, outputs)) {
    hash.update(
      `\0${relativePath(root, file)} ${statSync(file, { throwIfNoEntry: false })?.size ?? 'missing'}`,
    )
  }
  return hash.digest('hex')
}

const formatRecord = (root: string, inputs: string, outputs: Files): string =>
  `${inputs}\n${hashOutputs(root, outputs)}\n`

/** Builds unless that would change nothing, and writes the record. */
export async function buildIfChanged(
  record: string,
  { inputs, outputs }: Step,
  build: () => Promise<void>,
  root = ROOT,
): Promise<void> {
  // If a file changes during the build, the next one sees it.
  const before = hashInputs(root, inputs)
  if (readOrNull(record)?.toString() === formatRecord(root, before, outputs)) return
  rmSync(record, { force: true })
  await build()
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, formatRecord(root, before, outputs))
}

const FOLDER = join(ROOT, 'dist')
const getRecord = (name: StepName): string => join(FOLDER, `build-${name}`)

/** Returns true if there is nothing to build. */
export function isBuilt(): boolean {
  const inputs = hashInputs(ROOT, INPUTS)
  return (Object.keys(OUTPUTS) as StepName[]).every(
    (name) => readOrNull(getRecord(name))?.toString() === formatRecord(ROOT, inputs, OUTPUTS[name]),
  )
}

/** Longer than a build takes on a slow machine. */
const MAX_WAIT_MS = 5 * 60_000

/**
 * Runs a step if something has changed, one build after the other: two services that start at the same time would read
 * files that the other one's build is writing. The operating system ends the lock with the process, however it ends.
 */
export async function runStep(name: StepName, build: () => Promise<void>): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const lock = new DatabaseSync(join(FOLDER, 'build-lock.sqlite'), { timeout: MAX_WAIT_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    await buildIfChanged(getRecord(name), { inputs: INPUTS, outputs: OUTPUTS[name] }, build)
  } finally {
    lock.close()
  }
}

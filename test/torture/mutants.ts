import { spawn } from 'node:child_process'
import { access, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError, parseOptions, ROOT, relativePath } from '../../scripts/support/script.ts'
import { MUTANTS, type Mutant } from './mutant-list.ts'

const HELP = `Changes one condition of the source at a time, in a copy, and runs the tests that should notice. Each of them must
fail: a mutant that survives is a condition that no test checks. Takes several minutes.

Usage: npm run torture -- mutants [options]

  --only TEXT   only mutants whose file or text contains TEXT
  --list        print the mutants
  --check       check the list: that each text still occurs exactly once, and that the tests exist
  --help        show this help
`

/** Longer than the tests of any mutant take. A mutant that makes them hang is noticed, too. */
const TIMEOUT_MS = 5 * 60_000
/** Longer than the tests of all mutants take together. */
const WHOLE_TIMEOUT_MS = 30 * 60_000

const NOT_COPIED = /^(?:node_modules|\.git|\.wrangler|screenshots|coverage|dist\/browser)(?:\/|$)/

/** Copies the repository to a temporary folder, which shares its dependencies. */
async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'regent-mutants-'))
  await cp(ROOT, copy, {
    recursive: true,
    filter: (source) => !NOT_COPIED.test(relativePath(ROOT, source)),
  })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Returns the mutated source. Throws a CommandError unless the pattern occurs exactly once. */
function mutate(source: string, { file, find, replace }: Mutant): string {
  const count = source.split(find).length - 1
  if (count === 1) return source.replace(find, () => replace)
  throw new CommandError(`${file} contains ${count} times, but should contain once: ${find}`)
}

/** Throws a CommandError that names every mutant whose text or tests are gone. */
async function checkList(mutants: readonly Mutant[]): Promise<void> {
  const problems: string[] = []
  for (const mutant of mutants) {
    try {
      mutate(await readFile(join(ROOT, mutant.file), 'utf8'), mutant)
      for (const test of mutant.tests) await access(join(ROOT, test))
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (problems.length > 0)
    throw new CommandError(`test/torture/mutant-list.ts is outdated:\n${problems.join('\n')}`)
}

interface RunOptions {
  readonly timeoutMs?: number
  readonly options?: readonly string[]
}

/** Runs tests in a folder. Returns what failed; null if nothing did. */
function runTests(
  folder: string,
  tests: readonly string[],
  { timeoutMs = TIMEOUT_MS, options = [] }: RunOptions = {},
): Promise<string | null> {
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'worker',
    '--reporter',
    'dot',
  ]
  const child = spawn(process.execPath, [...args, ...options, ...tests], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += String(chunk)
    })
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      if (child.killed) return resolve(`They didn’t end within ${timeoutMs / 60_000} minutes.`)
      const failures = printed.split('\n').filter((line) => /^ *(?:FAIL|Error:)/.test(line))
      resolve(code === 0 ? null : failures.join('\n') || printed.slice(-2_000))
    })
  })
}

const describe = ({ file, find, replace }: Mutant): string => {
  const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  return `${file}\n    - ${inOneLine(find)}\n    + ${inOneLine(replace)}`
}

/** Checks that the tests pass without a mutant: otherwise their failures would prove nothing. */
async function checkTests(folder: string, mutants: readonly Mutant[]): Promise<void> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))]
  const failures = await runTests(folder, tests, { timeoutMs: WHOLE_TIMEOUT_MS })
  if (failures !== null) throw new CommandError(`Tests fail without a mutant:\n${failures}`)
}

async function runMutants(mutants: readonly Mutant[]): Promise<Mutant[]> {
  const copy = await copyRepository()
  try {
    await checkTests(copy, mutants)
    const survivors: Mutant[] = []
    for (const [index, mutant] of mutants.entries()) {
      const path = join(copy, mutant.file)
      const source = await readFile(path, 'utf8')
      await writeFile(path, mutate(source, mutant))
      const survives = (await runTests(copy, mutant.tests, { options: ['--bail', '1'] })) === null
      await writeFile(path, source)
      if (survives) survivors.push(mutant)
      console.log(`${index + 1}/${mutants.length} ${survives ? 'SURVIVES' : 'dies'}  ${describe(mutant)}`)
    }
    return survivors
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

export async function mutants(): Promise<void> {
  const values = parseOptions(HELP, {
    only: { type: 'string' },
    list: { type: 'boolean' },
    check: { type: 'boolean' },
  })
  const { only = '' } = values
  const mutants = MUTANTS.filter((mutant) => describe(mutant).includes(only))
  await checkList(mutants)
  if (values.check) return
  if (values.list) {
    for (const mutant of mutants) console.log(describe(mutant))
    console.log(`${mutants.length} mutants`)
    return
  }
  const startedAt = Date.now()
  const survivors = await runMutants(mutants)
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(`\n${mutants.length} mutants, ${survivors.length} survive, ${seconds} s`)
  if (survivors.length > 0) process.exitCode = 1
}

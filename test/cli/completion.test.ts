import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { formatManual } from '../../cli/manual.ts'
import { EXIT_CODES } from '../../cli/src/exit-codes.ts'
import {
  getCommand,
  getOption,
  NAMED_COMMANDS,
  OPTIONS,
  type OptionName,
  SHELLS,
} from '../../cli/src/options.ts'
import { runHere } from './support/fake-terminal.ts'

const run = promisify(execFile)

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const printScript = async (shell: string) => (await runHere(['completion', shell])).stdout

/** Returns what bash completes a command line with. */
async function completeInBash(line: string): Promise<string[]> {
  const words = ['regent', ...line.split(' ')]
  const script = `${await printScript('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_regent
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['--norc', '-c', script])
  return stdout.trim().split('\n')
}

const names = Object.keys(OPTIONS) as OptionName[]

describe('regent completion', () => {
  it.each([
    ['g', ['get']],
    ['l', ['ls', 'login', 'logout']],
    ['--en', ['--encrypt']],
    ['get --p', ['--password-file']],
    ['--language typesc', ['typescript']],
    ['-x 1', ['1h', '12h', '1d', '1w']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['--server http://localhost ls --l', ['--limit']],
  ])('completes "regent %s" in bash', async (line, expected) => {
    expect((await completeInBash(line)).sort()).toEqual([...expected].sort())
  })

  it.each([
    ['bash', ['-n']],
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const)('prints a script that %s can read, where it is installed', async (shell, check) => {
    const script = await printScript(shell)
    expect(script).toContain('regent')
    if (isInstalled(shell)) {
      const folder = await mkdtemp(join(tmpdir(), 'regent-'))
      const file = join(folder, 'completion')
      await writeFile(file, script)
      expect(await run(shell, [...check, file])).toEqual({ stdout: '', stderr: '' })
      await rm(folder, { recursive: true })
    }
  })

  it.each(SHELLS)('knows every command and option in %s', async (shell) => {
    const script = await printScript(shell)
    const isPrinted = (name: string) => script.includes(shell === 'fish' ? `-l ${name} ` : `--${name}`)
    expect(NAMED_COMMANDS.filter((name) => !script.includes(name))).toEqual([])
    expect(names.filter((name) => !isPrinted(name))).toEqual([])
  })

  it('refuses other shells', async () => {
    expect(await runHere(['completion', 'tcsh'])).toMatchObject({ code: EXIT_CODES.usage, stdout: '' })
  })
})

describe('the manual', () => {
  it('has every command, option and exit code', () => {
    const text = formatManual('')
      .replaceAll(/\\f[A-Z]/g, '')
      .replaceAll('\\-', '-')
    const missing = [
      ...NAMED_COMMANDS.map((name) => `regent ${name}`),
      ...names.map((name) => `--${name}`),
      ...names.flatMap((name) => getOption(name).short ?? []).map((short) => `-${short}, `),
      ...Object.values(EXIT_CODES).map((code) => `\n${code}\n`),
    ].filter((expected) => !text.includes(expected))
    expect(missing).toEqual([])
    // Nothing of the markup that it is written in.
    expect(text).not.toMatch(/\*|(?<!\w)_\w/)
  })
})

describe('regent --help', () => {
  it('lists every command and every option for sharing', async () => {
    const { stdout } = await runHere(['--help'])
    for (const name of NAMED_COMMANDS) expect(stdout).toContain(`regent ${name}`)
    for (const name of getCommand('create').options) expect(stdout).toContain(`--${name}`)
  })

  it.each(NAMED_COMMANDS)('describes %s alone', async (name) => {
    const { code, stdout } = await runHere(['help', name])
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: regent ${getCommand(name).usage}`)
    expect(await runHere([name, '--help'])).toMatchObject({ code: 0, stdout })
  })
})

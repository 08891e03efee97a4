import { execFileSync, spawn } from 'node:child_process'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addAccount } from '../support/accounts.ts'
import { type Service, startService } from '../support/service.ts'
import { type CliHome, createCliHome, type Ended } from './cli-process.ts'

/** Whether util-linux is installed, whose `script` starts a program in a pseudo-terminal. */
const hasScript = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux')
  } catch {
    return false
  }
})()

let service: Service
let key: string
let home: CliHome

beforeAll(async () => {
  service = await startService()
  key = (await addAccount(service.env, 'cli-terminal')).key
})

beforeEach(async () => {
  home = await createCliHome(service.base)
})

afterEach(() => home.remove())

/** What the person types, once the terminal shows a text. */
type Step = readonly [shown: string, typed: string]

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** Runs a line at a pseudo-terminal, where `regent` is the command line. Returns all that the terminal shows. */
async function type(line: string, steps: readonly Step[], env: Record<string, string> = {}): Promise<Ended> {
  const shell = `regent() { ${quote(process.execPath)} ${quote(home.program)} "$@"; }; ${line}`
  const child = spawn('script', ['-qec', `bash -c ${quote(shell)}`, '/dev/null'], {
    cwd: home.folder,
    env: { ...home.env, ...env },
  })
  let shown = ''
  let read = 0
  const left = [...steps]
  child.stdout.on('data', (chunk) => {
    shown += chunk
    const [step] = left
    const at = step ? shown.indexOf(step[0], read) : -1
    if (!step || at === -1) return
    read = at + step[0].length
    left.shift()
    child.stdin.write(step[1])
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout: shown.replaceAll('\r\n', '\n'), stderr: '' }
}

const shareEncrypted = async (...options: string[]) => {
  const env = { REGENT_KEY: key, REGENT_PASSWORD: 'open sesame' }
  const link = await home.print(['--encrypt', ...options], { stdin: 'the secret\n', env })
  return link.split('#', 1)[0] ?? ''
}

describe.runIf(hasScript)('at a terminal', () => {
  it('asks for the password without showing it, again if it was wrong', async () => {
    const link = await shareEncrypted('--burn')
    const { code, stdout } = await type(`regent get ${link}`, [
      ['Password: ', 'wrong\r'],
      ['Password: ', 'open sesame\r'],
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('The password is wrong.')
    expect(stdout).toContain('the secret\n')
    expect(stdout).not.toContain('sesame')
  })

  it('asks even if standard input and output are pipes', async () => {
    const link = await shareEncrypted()
    const { code, stdout } = await type(`echo x | regent get ${link} | tr a-z A-Z`, [
      ['Password: ', 'open sesame\r'],
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('THE SECRET\n')
  })

  it('asks for the API key without showing it', async () => {
    const { code, stdout } = await type('regent login', [['API key: ', `${key}\r`]])
    expect(code).toBe(0)
    expect(stdout).toContain('as cli-terminal')
    expect(stdout).not.toContain(key)
  })

  it('reads a typed text until Ctrl+D', async () => {
    const { code, stdout } = await type('regent --copy', [['press Ctrl+D.', 'typed\r\x04']])
    expect(code).toBe(0)
    const [link = ''] = /http:\S+/.exec(stdout) ?? []
    expect(await home.print(['get', link])).toBe('typed\n')
    // There's no desktop, so the terminal is asked to copy.
    expect(stdout).toContain(`\x1B]52;c;${Buffer.from(link).toString('base64')}\x07`)
  })

  it.each([
    ['while it reads a text', 'regent', 'press Ctrl+D.'],
    ['while it asks for a key', 'regent login', 'API key: '],
  ])('stops after Ctrl+C %s', async (_, line, shown) => {
    const { code, stdout } = await type(`${line}; echo "code $?"`, [[shown, '\x03']])
    // Bash may stop too, as it does if a program that it started was interrupted.
    expect([0, 130]).toContain(code)
    expect(stdout).toContain('Interrupted.')
    expect(await home.listFiles()).toEqual([])
  })

  it('shows how far a long upload is', async () => {
    const line = `head -c 3000000 /dev/zero | tr '\\0' x > long.txt; regent long.txt`
    const { code, stdout } = await type(line, [])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Uploading \d+% of 2\.9 MiB/)
    expect(stdout).toContain('\x1B[Khttp:')
  })

  it('lists documents as a table', async () => {
    await home.print([], { stdin: 'x' })
    const { stdout } = await type('regent ls', [])
    expect(stdout).toMatch(/^LINK +EXPIRES +SIZE +TITLE\nhttp:\S+\/\w{8} {2}in 7 days {2}1 byte {2}—\n$/)
  })
})

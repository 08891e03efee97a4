import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EXIT_CODES } from '../../cli/src/exit-codes.ts'
import { askSecret, copyText, createOutput, toSafeLine } from '../../cli/src/terminal.ts'
import { showUploadProgress } from '../../cli/src/upload.ts'
import { createFakeTerminal, runHere } from './support/fake-terminal.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const MIB = 1_024 * 1_024

describe('input', () => {
  const share = (stdin: string | Uint8Array, ...args: string[]) =>
    runHere(['--server', 'http://127.0.0.1:9', ...args], { stdin, env: { HOME: folder } })

  it.each([
    ['bytes that are no UTF-8', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), 'isn’t text'],
    ['nothing', '', 'is empty'],
    ['more than any server accepts', new Uint8Array(18 * MIB + 1), 'is larger than 18.0 MiB'],
  ])('is refused before it is sent: %s', async (_, stdin, message) => {
    const { code, stdout, stderr } = await share(stdin)
    expect({ code, stdout }).toEqual({ code: EXIT_CODES.input, stdout: '' })
    expect(stderr).toContain(`regent: Standard input ${message}`)
  })

  it('is refused if it can’t be read', async () => {
    expect(await share('', 'no-such-file')).toEqual({
      code: EXIT_CODES.input,
      stdout: '',
      stderr: 'regent: Can’t read no-such-file: there’s no such file.\n',
    })
  })

  it('is read from standard input once only', async () => {
    expect(await share('x', '-', '-')).toMatchObject({ code: EXIT_CODES.usage })
    expect(await share('x', '--password-file', '-')).toMatchObject({ code: EXIT_CODES.usage })
  })

  it('needs a server', async () => {
    const { code, stderr } = await runHere([], { stdin: 'x', env: { HOME: folder } })
    expect(code).toBe(EXIT_CODES.usage)
    expect(stderr).toContain('Which server?')
  })
})

describe('a secret', () => {
  it('is read from the terminal, and isn’t shown', async () => {
    const { terminal, stderr } = createFakeTerminal({ typed: ['secret'] })
    expect(await askSecret(terminal, 'Password: ', '')).toBe('secret')
    expect(stderr()).toBe('Password: \n')
  })

  it('can’t be asked for without a terminal', async () => {
    const { terminal } = createFakeTerminal()
    await expect(askSecret(terminal, 'Password: ', 'Set REGENT_PASSWORD')).rejects.toThrow(
      'There’s no terminal to ask at. Set REGENT_PASSWORD',
    )
  })

  it('must be typed twice to encrypt', async () => {
    const file = join(folder, 'a.txt')
    await writeFile(file, 'x')
    const env = { HOME: folder }
    const { code, stderr } = await runHere([file, '-s', 'http://127.0.0.1:9', '--ask-password'], {
      env,
      typed: ['a', 'b'],
    })
    expect(code).toBe(EXIT_CODES.usage)
    expect(stderr).toContain('The passwords differ')
  })
})

describe('errors', () => {
  const printError = (env: Record<string, string>, typed?: string[]) => {
    const { terminal, stderr } = createFakeTerminal({ env, ...(typed && { typed }) })
    createOutput(terminal, { quiet: true }).error('No')
    return stderr()
  }

  it('are coloured on a terminal only, and not if NO_COLOR is set', () => {
    expect(printError({}, [])).toBe('\x1B[31mregent:\x1B[0m No\n')
    expect(printError({ NO_COLOR: '1' }, [])).toBe('regent: No\n')
    expect(printError({ TERM: 'dumb' }, [])).toBe('regent: No\n')
    expect(printError({})).toBe('regent: No\n')
  })

  it('have no control characters of what a server says', () => {
    const { terminal, stderr } = createFakeTerminal({})
    const output = createOutput(terminal, { quiet: false })
    output.error('a\x1B]52;c;aGk=\x07b')
    output.note('one\n\x1B[2Jtwo')
    expect(stderr()).toBe('regent: a ]52;c;aGk= b\none\n[2Jtwo\n')
  })

  it('have no control characters of a title', () => {
    expect(toSafeLine('a\x1B]0;b\x07\nc\u202Ed')).toBe('a ]0;b c d')
  })
})

describe('progress', () => {
  it('is shown for a long upload on a terminal, and removed', () => {
    const { terminal, stderr } = createFakeTerminal({ typed: [] })
    const progress = showUploadProgress(terminal, { quiet: false })
    progress.update(MIB, 4 * MIB)
    progress.end()
    expect(stderr()).toBe('\r\x1B[KUploading 25% of 4.0 MiB\r\x1B[K')
  })

  it.each([
    ['a short upload', { typed: [] }, 1_000, false],
    ['a pipe', {}, 4 * MIB, false],
    ['--quiet', { typed: [] }, 4 * MIB, true],
  ])('is not shown for %s', (_, options, total, quiet) => {
    const { terminal, stderr } = createFakeTerminal(options)
    showUploadProgress(terminal, { quiet }).update(500, total)
    expect(stderr()).toBe('')
  })

  it('says whether a failed upload may have been stored', () => {
    const progress = showUploadProgress(createFakeTerminal().terminal, { quiet: false })
    expect(progress.describeFailure()).toBe('Nothing was sent.')
    progress.update(MIB, 2 * MIB)
    expect(progress.describeFailure()).toContain('so nothing was stored')
    progress.update(2 * MIB, 2 * MIB)
    expect(progress.describeFailure()).toContain('may have stored it')
  })
})

describe('the clipboard', () => {
  it("uses the desktop's clipboard program", async () => {
    const program = join(folder, 'wl-copy')
    await writeFile(program, `#!/bin/sh\ncat > "${folder}/copied"\n`)
    await chmod(program, 0o755)
    const before = process.env.PATH
    process.env.PATH = `${folder}:${before}`
    try {
      const { terminal } = createFakeTerminal({ env: { WAYLAND_DISPLAY: 'wayland-0' } })
      expect(await copyText(terminal, 'a link')).toBe('program')
    } finally {
      process.env.PATH = before
    }
    expect(await readFile(join(folder, 'copied'), 'utf8')).toBe('a link')
  })

  it('is that of the terminal if there is no program', async () => {
    const { terminal, stderr } = createFakeTerminal({ typed: [] })
    expect(await copyText(terminal, 'a link')).toBe('terminal')
    expect(stderr()).toBe('\x1B]52;c;YSBsaW5r\x07')
  })

  it('may be missing', async () => {
    expect(await copyText(createFakeTerminal().terminal, 'a link')).toBeNull()
  })
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRandom, KNOWN_SECRETS } from '../../shared/scan/corpus/shapes.ts'
import { type Service, startService } from '../support/service.ts'
import { type CliHome, createCliHome } from './cli-process.ts'

const random = createRandom(1)
const token = KNOWN_SECRETS.github?.(random) ?? ''
const TEXT = `token ${token}\nfrom 93.184.10.5\nagain ${token}\n`

let service: Service
let home: CliHome

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  home = await createCliHome(service.base)
})

afterEach(() => home.remove())

const read = async (link: string): Promise<string> => {
  const response = await fetch(link.trim().replace(/\/(\w+)$/, '/r/$1'))
  return response.text()
}

const share = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  home.run(args, { stdin: TEXT, env })

describe('regent, for a text with secrets', () => {
  it('shares it, and names the kinds on standard error', async () => {
    const { code, stdout, stderr } = await share()
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Found 1 GitHub key, 1 IP address. To replace them, use --redact=all.\n',
    })
    expect(await read(stdout)).toBe(TEXT)
  })

  it('replaces secrets with --redact, and addresses with --redact=all', async () => {
    const { stdout, stderr } = await share(['--redact'])
    expect(stderr).toBe('')
    expect(await read(stdout)).toBe('token [key 1: GitHub]\nfrom 93.184.10.5\nagain [key 1: GitHub]\n')
    const all = await share(['--redact=all'])
    expect(await read(all.stdout)).toBe('token [key 1: GitHub]\nfrom [ip 1]\nagain [key 1: GitHub]\n')
  })

  it('replaces the same secret in several files by the same placeholder', async () => {
    await mkdir(join(home.folder, 'logs'))
    await writeFile(join(home.folder, 'logs', 'a.log'), `a ${token}\n`)
    await writeFile(join(home.folder, 'logs', 'b.log'), `b ${token}\n`)
    const { stdout } = await home.run(['--redact', join(home.folder, 'logs')])
    expect(await read(stdout)).toBe('-- a.log --\na [key 1: GitHub]\n-- b.log --\nb [key 1: GitHub]\n')
  })

  it('replaces a secret in the name of a file', async () => {
    await mkdir(join(home.folder, 'keys'))
    await writeFile(join(home.folder, 'keys', `${token}.txt`), `a ${token}\n`)
    await writeFile(join(home.folder, 'keys', 'z.txt'), 'z\n')
    const { stdout } = await home.run(['--redact', join(home.folder, 'keys')])
    expect(await read(stdout)).toBe('-- [key 1: GitHub].txt --\na [key 1: GitHub]\n-- z.txt --\nz\n')
  })

  it('replaces them in an update', async () => {
    const { stdout } = await home.run([], { stdin: 'before' })
    await home.run(['update', stdout.trim(), '--redact'], { stdin: TEXT })
    expect(await read(stdout)).toContain('token [key 1: GitHub]\n')
  })

  it('looks in an editor only for what the document doesn’t have yet', async () => {
    const editor = join(home.folder, 'append.sh')
    const other = KNOWN_SECRETS.github?.(random) ?? ''
    await writeFile(editor, `#!/bin/sh\nprintf 'new ${other}, known ${token}\\n' >> "$1"\n`, { mode: 0o700 })
    const env = { EDITOR: editor }
    const { stdout } = await share(['--no-scan'])
    const link = stdout.trim()
    expect((await home.run(['edit', link], { env })).stderr).toBe(
      `Found 1 GitHub key. To replace them, use --redact.\nSaved ${link.slice(-8)}.\n`,
    )
    await home.run(['update', link, '--no-scan'], { stdin: TEXT })
    const failed = await home.run(['edit', link], { env: { ...env, REGENT_SCAN: 'fail' } })
    expect(failed.code).toBe(10)
    expect(failed.stderr).toContain('or send them with --no-scan. Nothing was saved. Your text is in ')
    expect(await read(stdout)).toBe(TEXT)
    expect((await home.run(['edit', link, '--redact'], { env })).stderr).toBe(`Saved ${link.slice(-8)}.\n`)
    expect(await read(stdout)).toBe(`${TEXT}new [key 1: GitHub], known ${token}\n`)
  })

  it('looks in the whole text that is piped into an edit, and not in an encrypted document', async () => {
    const { stdout } = await home.run([], { stdin: TEXT, env: { REGENT_SCAN: 'off' } })
    await home.run(['edit', stdout.trim(), '--redact'], { stdin: `again ${TEXT}` })
    expect(await read(stdout)).toContain('again token [key 1: GitHub]\n')
    const encrypted = (await home.run(['--encrypt'], { stdin: 'before' })).stdout.trim()
    const editor = join(home.folder, 'secret.sh')
    await writeFile(editor, `#!/bin/sh\nprintf 'token ${token}\\n' > "$1"\n`, { mode: 0o700 })
    const { stderr } = await home.run(['edit', encrypted], { env: { EDITOR: editor } })
    expect(stderr).toContain('Saved ')
    expect(stderr).not.toContain('Found ')
  })

  it('says nothing with --no-scan, REGENT_SCAN=off and --encrypt', async () => {
    expect((await share(['--no-scan'])).stderr).toBe('')
    expect((await share([], { REGENT_SCAN: 'off' })).stderr).toBe('')
    expect((await share(['--encrypt'])).stderr).toBe('')
  })

  it('sends nothing with REGENT_SCAN=fail', async () => {
    const env = { REGENT_SCAN: 'fail', REGENT_URL: 'http://127.0.0.1:9' }
    const { code, stdout, stderr } = await share([], env)
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' })
    expect(stderr).toBe(
      'regent: Nothing was sent: found 1 GitHub key. Replace them with --redact, encrypt with --encrypt, or send them with --no-scan.\n',
    )
    expect((await home.run([], { stdin: 'from 93.184.10.5', env: { REGENT_SCAN: 'fail' } })).code).toBe(0)
  })

  it('refuses other values', async () => {
    expect(await share(['--redact=some'])).toMatchObject({ code: 2, stdout: '' })
    expect(await share([], { REGENT_SCAN: 'on' })).toMatchObject({ code: 2, stdout: '' })
  })
})

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../server/settings.ts'

const SECRET = 'a secret of the tests, long enough'
const MAIL = { MAIL_FROM: 'Regent <mail@example.org>', SMTP_URL: 'smtp://127.0.0.1' }

afterEach(() => vi.unstubAllEnvs())

const writeTemporary = async (name: string, text: string): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'regent-')), name)
  await writeFile(file, text)
  return file
}

describe('the settings', () => {
  it('have defaults', () => {
    expect(readSettings([], {})).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      folder: join(process.cwd(), 'data'),
      metricsPort: null,
      demo: false,
      smtpUrl: null,
      rateLimits: { READ_LIMIT: { limit: 500, period: 60 } },
      crons: [{ text: '*/5 * * * *' }, { text: '* * * * *' }],
    })
  })

  it('come from options before the environment, and from that before the files', async () => {
    const file = await writeTemporary('regent.toml', '[vars]\nPLAN = "free"\nEXPLORE = "off"\n')
    vi.stubEnv('REGENT_SETTINGS', file)
    const environment = { PORT: '1', HOST: '127.0.0.2', DATA_DIR: '/nowhere', EXPLORE: 'on' }
    const settings = readSettings(['--port', '2'], environment)
    expect(settings).toMatchObject({ port: 2, host: '127.0.0.2', folder: '/nowhere' })
    expect(settings.variables).toMatchObject({ PLAN: 'free', EXPLORE: 'on', READ_FROM: 'primary' })
  })

  it('take secrets from files', async () => {
    const file = await writeTemporary('secret', `${SECRET}\n`)
    expect(readSettings([], { AUTH_SECRET_FILE: file }).variables.AUTH_SECRET).toBe(SECRET)
    await writeFile(file, '')
    expect(() => readSettings([], { AUTH_SECRET_FILE: file })).toThrow(
      `AUTH_SECRET_FILE = "${file}": is empty`,
    )
  })

  it('are refused by their names, all at once', async () => {
    const file = await writeTemporary('secret', SECRET)
    const empty = await writeTemporary('empty', ' \n\n')
    const read = () =>
      readSettings(['--port', 'x'], {
        METRICS_PORT: '70000',
        TRUSTED_PROXY: 'proxy',
        HOST: '0.0.0.0',
        EXPLORE: 'maybe',
        AUTH_SECRET: 'short',
        AUTH_SECRET_FILE: file,
        TURNSTILE_SECRET_FILE: '/nowhere/secret',
        GITHUB_CLIENT_SECRET_FILE: empty,
        SMTP_URL: 'mail.example.org',
      })
    for (const name of [
      /--port = "x": use a number/,
      /METRICS_PORT = "70000"/,
      /TRUSTED_PROXY = "proxy"/,
      /SITE_URL: set it/,
      /EXPLORE = "maybe"/,
      /AUTH_SECRET: use at least/,
      /AUTH_SECRET_FILE: set only one/,
      /TURNSTILE_SECRET_FILE = .*ENOENT/,
      /GITHUB_CLIENT_SECRET_FILE = .*: is empty/,
      /SMTP_URL: use an address/,
      /MAIL_FROM: set it too/,
    ])
      expect(read).toThrow(name)
  })

  it('refuse combinations that can’t work, before anything starts', () => {
    expect(() => readSettings([], { READERS: 'accounts' })).toThrow(/READERS = "accounts": set MAIL_FROM/)
    const mail = { ...MAIL, SITE_URL: 'https://a.example' }
    expect(readSettings([], { READERS: 'accounts', ...mail }).variables.READERS).toBe('accounts')
    expect(readSettings(['--demo'], { READERS: 'accounts' }).variables.MAIL_FROM).toBe('terminal')
  })

  it('refuse names that nobody knows', async () => {
    vi.stubEnv(
      'REGENT_SETTINGS',
      await writeTemporary('regent.toml', '[var]\nPLAN = "free"\n[vars]\nPLNA = "free"\n'),
    )
    expect(() => readSettings([], {})).toThrow(/ {2}var: unknown.*\n {2}vars\.PLNA: unknown/)
  })

  it.each<[string, string[], Record<string, string>]>([
    ['others can reach this server', ['--host', '::'], {}],
    ['SMTP_URL is set', [], MAIL],
    ['TRUSTED_PROXY is set', [], { TRUSTED_PROXY: '127.0.0.1' }],
    ['SMTP_URL and TRUSTED_PROXY are set', [], { ...MAIL, TRUSTED_PROXY: '::1' }],
  ])('need the address of the site, because %s', (reason, args, environment) => {
    const line = `:\n  SITE_URL: set it to the address of the site, because ${reason}`
    expect(() => readSettings(args, environment)).toThrow(new RegExp(`${line}$`))
    expect(() => readSettings(args, { ...environment, SITE_URL: 'https://a.example' })).not.toThrow()
  })

  it('need no address to print emails', () => {
    expect(readSettings([], { MAIL_FROM: 'terminal' }).variables.SITE_URL).toBe('')
  })
})

describe('the icon of the site', () => {
  it('is refused if the file is missing, and needs no file if it is an address', async () => {
    expect(() => readSettings([], { SITE_ICON: '/nowhere/icon.svg' })).toThrow(
      'SITE_ICON = "/nowhere/icon.svg": can\'t be read (ENOENT)',
    )
    expect(() => readSettings([], { SITE_ICON: 'https://cdn.example/icon.svg' })).not.toThrow()
    const file = await writeTemporary('icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect(() => readSettings([], { SITE_ICON: file })).not.toThrow()
  })
})

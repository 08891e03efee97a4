import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SQL } from '../../scripts/support/database.ts'
import { queryDatabase } from './support/database.ts'
import { type Service, startService } from './support/service.ts'

/** Returns true if a program is installed. The programs are optional: test/plain-text sends the same requests. */
const isInstalled = (program: string): boolean => spawnSync(program, ['-h']).error === undefined

/** Names the tests of a program, and says if they are skipped because the machine doesn't have it. */
const describeProgram = (program: string, tests: () => void) =>
  isInstalled(program)
    ? describe(program, tests)
    : describe.skip(`${program} (not installed on this machine)`, tests)

/** Characters that an upload could lose: a byte order mark, CRLF, NUL, an emoji, and characters that forms encode. */
const TEXT = '\ufeff# Titel ä\r\n%20+&=x\0 😀\n'
/** For `curl -d`, which removes line breaks itself, and, depending on its version, removes NUL or stops there. */
const LINES = 'one\r\n%20+&=two\n'

let service: Service
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  await writeFile(join(folder, 'notes.md'), TEXT)
  await writeFile(join(folder, 'lines.txt'), LINES)
  await writeFile(join(folder, 'latin1.txt'), Uint8Array.of(0x61, 0xe4, 0x0a))
  await writeFile(join(folder, 'text.txt'), 'x'.repeat(9 * 1024 * 1024))
  await writeFile(join(folder, 'large.txt'), 'x'.repeat(10 * 1024 * 1024 + 1))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a line in a shell, in the folder of the files, with `$U` as the address of the server. */
function runLine(line: string, env: Record<string, string> = {}): Promise<Result> {
  const child = spawn('bash', ['-c', line], {
    cwd: folder,
    // A user's own settings must not change what is tested.
    env: { PATH: process.env.PATH, HOME: folder, U: service.base, ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output.stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
}

/** By default, curl waits a second before it sends a file, in case the server refuses it. */
const AT_ONCE = '--expect100-timeout 0.01'

/** Runs curl as a user would, and returns the status and the body of the response. */
async function curl(args: string): Promise<{ status: number; text: string }> {
  const { stdout, stderr } = await runLine(`curl -sS ${AT_ONCE} -w '\\n%{http_code}' ${args}`)
  expect(stderr).toBe('')
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), text: stdout.slice(0, at) }
}

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/(\w{8})\n$/

async function readBytes(link: string): Promise<string> {
  const response = await fetch(link.trim(), { headers: { Accept: 'text/plain' } })
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
}

async function readSettings(link: string): Promise<Record<string, unknown>> {
  const id = LINK.exec(link)?.[1]
  const response = await fetch(`${service.base}/v1/document/${id}`)
  return ((await response.json()) as { data: { settings: Record<string, unknown> } }).data.settings
}

async function countDocuments(title: string): Promise<number> {
  return (await queryDatabase(service.env, SQL`SELECT id FROM documents WHERE title = ${title}`)).length
}

describeProgram('curl', () => {
  it.each([
    ['--data-binary @notes.md $U/', TEXT],
    ['-d @lines.txt $U/', 'one%20+&=two'],
    ['--data-urlencode content@notes.md $U/', TEXT],
    ["-F 'f=<-' $U/ < notes.md", TEXT],
    ['-F file=@notes.md $U/', TEXT],
    ['-F expires=2d -F file=@notes.md $U/', TEXT],
    ['-T notes.md $U/', TEXT],
    ['-T notes.md $U', TEXT],
    ['-T - $U/ < notes.md', TEXT],
    ['-T - $U/- < notes.md', TEXT],
    ["-H 'Content-Type: application/json' --data-binary @notes.md $U/", TEXT],
    ["'$U/?expires=2d&language=py' --data-binary @notes.md".replaceAll("'", '"'), TEXT],
  ])('creates a document with curl %s', async (args, text) => {
    const answer = await curl(args)
    expect(answer).toEqual({ status: 201, text: expect.stringMatching(LINK) })
    expect(await readBytes(answer.text)).toBe(text)
  })

  it('gives a file its title and language', async () => {
    expect(await readSettings((await curl('-T notes.md $U/')).text)).toMatchObject({
      title: 'notes.md',
      language: 'markdown',
    })
    const headers = "-H 'X-Title: Größe' -H 'X-Language: py' --data-binary @notes.md $U/"
    expect(await readSettings((await curl(headers)).text)).toMatchObject({
      title: 'Größe',
      language: 'python',
    })
  })

  it.each([
    ['--data-binary @latin1.txt $U/', 400, expect.stringContaining("That isn't text in UTF-8.")],
    ['-T large.txt $U/', 413, 'Content is too large. Shorten it, or split it\n'],
    ['-T - $U/ < large.txt', 413, 'Content is too large. Shorten it, or split it\n'],
    ['--data-binary @large.txt $U/', 413, 'Content is too large. Shorten it, or split it\n'],
    ['-F file=@large.txt $U/', 413, 'Content is too large. Shorten it, or split it\n'],
    [
      "-H 'Authorization: imperial_wrong' -T notes.md $U/",
      401,
      "Unauthorized. Send a valid API key: -H 'Authorization: imperial_...'\n",
    ],
  ])('gets one line for curl %s', async (args, status, text) => {
    expect(await curl(args)).toEqual({ status, text })
  })

  it('reads a document, and deletes it with the token from the response', async () => {
    await runLine("printf '1\\n2\\n3\\n' | curl -sS -D headers.txt -o link.txt -T - $U/")
    const link = (await readFile(join(folder, 'link.txt'), 'utf8')).trim()
    expect(await curl(link)).toEqual({ status: 200, text: '1\n2\n3\n' })
    expect(await curl(`'${link}?lines=2-3'`)).toEqual({ status: 200, text: '2\n3\n' })
    expect(await curl(`'${link}?lines=9'`)).toEqual({
      status: 416,
      text: 'This document has 3 lines. Ask for some of them, or leave out lines\n',
    })
    const token = /^x-document-token: (\S+)/im.exec(await readFile(join(folder, 'headers.txt'), 'utf8'))?.[1]
    expect(await curl(`-X DELETE -H 'X-Document-Token: ${token}' ${link}`)).toEqual({ status: 204, text: '' })
    expect(await curl(link)).toEqual({
      status: 404,
      text: 'Document not found. It may have expired or been deleted: check the address\n',
    })
  })

  it('burns a document with the command that a read prints', async () => {
    const { text: link } = await curl('-T notes.md "$U/?burn"')
    const { text: line } = await curl(link.trim())
    expect(line).toMatch(/^Reading this document deletes it\. To read it: curl -X POST /)
    const [, args = ''] = line.trim().split(': curl ')
    expect((await curl(args)).status).toBe(200)
    expect((await curl(args)).status).toBe(404)
  })

  it('creates a document that never expires, with an API key', async () => {
    const { status, text } = await curl(
      `-H 'Authorization: ${service.demoKey}' -T notes.md "$U/?expires=never&public"`,
    )
    expect(status).toBe(201)
    expect(await readSettings(text)).toMatchObject({ public: true })
  })

  it('gets a manual whose commands work when pasted', async () => {
    const { text } = await curl('$U/')
    await writeFile(join(folder, 'main.py'), 'print(1)\n')
    await writeFile(join(folder, 'notes.txt'), 'notes\n')
    await writeFile(join(folder, 'app.toml'), 'x = 1\n')
    const lines = text.split('\n').flatMap((line) => /^ {2}(curl .*@?(main|notes).*)$/.exec(line)?.[1] ?? [])
    expect(lines).toHaveLength(5)
    for (const line of lines) {
      const { code, stdout } = await runLine(`${line} -sS ${AT_ONCE}`)
      expect({ line, code, stdout }).toEqual({ line, code: 0, stdout: expect.stringMatching(LINK) })
    }
  })

  it('stores nothing of an upload that is cut off', async () => {
    const title = `cut-off-${process.pid}`
    // Not from standard input: the development server's proxy ends a body of unknown length properly when it's cut off.
    const timedOut = await runLine(
      `curl -sS ${AT_ONCE} --max-time 1 --limit-rate 1k -T text.txt "$U/${title}"`,
    )
    expect(timedOut).toMatchObject({ code: 28, stdout: '' })
    const args = ['-sSv', '--limit-rate', '1k', '-T', 'text.txt', `${service.base}/${title}`]
    const killed = spawn('curl', args, { cwd: folder })
    let log = ''
    killed.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
    await vi.waitUntil(() => log.includes('> PUT '), { timeout: 30_000 })
    // At this rate, the upload takes hours.
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('close', resolve))
    // If a later request gets a response, the server has dealt with both uploads.
    const { text } = await curl(`-T notes.md "$U/${title}-whole"`)
    expect(text).toMatch(LINK)
    expect(await countDocuments(`${title}-whole`)).toBe(1)
    expect(await countDocuments(title)).toBe(0)
  })
})

describeProgram('wget', () => {
  it.each([
    ['--post-file=notes.md $U/', TEXT],
    ['--method=PUT --body-file=notes.md $U/notes.md', TEXT],
    ["--post-data='content=a%26b' $U/", 'a&b'],
  ])('creates a document with wget %s', async (args, text) => {
    const { code, stdout } = await runLine(`wget -qO- ${args}`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(LINK) })
    expect(await readBytes(stdout)).toBe(text)
    expect((await runLine(`wget -qO- ${stdout.trim()} | wc -c`)).stdout.trim()).toBe(
      String(Buffer.byteLength(text)),
    )
  })

  it('fails with the status of an error', async () => {
    const { code, stderr } = await runLine('wget -nv -O- --post-file=latin1.txt $U/')
    expect(code).toBe(8)
    expect(stderr).toContain('ERROR 400')
  })
})

describeProgram('pastebinit', () => {
  it('creates a document with a configuration that names this server', async () => {
    const config = join(folder, 'pastebin.d')
    await mkdir(config, { recursive: true })
    const basename = new URL(service.base).host
    await writeFile(
      join(config, 'regent.conf'),
      `[pastebin]\nbasename = ${basename}\npaste_regexp = (.*)\n\n[format]\ncontent = content\ntitle = title\nformat = language\n\n[defaults]\nformat =\n`,
    )
    const line = `printf 'a & b = 1\\nä' | pastebinit -b ${basename} -t 'from pastebinit'`
    const { code, stdout, stderr } = await runLine(line, { XDG_CONFIG_HOME: folder })
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(LINK) })
    expect(await readBytes(stdout)).toBe('a & b = 1\nä')
    expect((await readSettings(stdout)).title).toBe('from pastebinit')
  })
})

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, type Service, startService } from '../support/service.ts'

const run = promisify(execFile)

let folder: string
let service: Service

/** Packs the package as for publishing, and puts it into an empty folder with its one dependency. */
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(ROOT, 'cli') })
  const [tarball = ''] = await readdir(folder)
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await run('tar', ['-xf', tarball], { cwd: folder })
  await run('mv', ['package', 'node_modules/regent-cli'], { cwd: folder })
  for (const name of ['ignore', 'jose', 'zod'])
    await symlink(await realpath(join(ROOT, 'node_modules', name)), join(modules, name))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const runNode = async (...args: string[]) =>
  (await run(process.execPath, args, { cwd: folder, env: { ...process.env, HOME: folder } })).stdout

describe('the published package', () => {
  it('has the program, the client, their types and the manual, and no sources or tests', async () => {
    const files = await readdir(join(folder, 'node_modules/regent-cli'), { recursive: true })
    for (const file of ['bin/regent.js', 'dist/cli/src/index.d.ts', 'man/regent.1', 'LICENSE', 'README.md']) {
      expect(files).toContain(file)
    }
    expect(files.filter((file) => /(?<!\.d)\.ts$|test/.test(file))).toEqual([])
  })

  it('runs', async () => {
    const program = 'node_modules/regent-cli/bin/regent.js'
    const { version } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'))
    expect(await runNode(program, '--version')).toBe(`${version}\n`)
    await writeFile(join(folder, 'a.txt'), 'packed\n')
    const link = (await runNode(program, '--server', service.base, 'a.txt')).trim()
    expect(await runNode(program, 'get', link)).toBe('packed\n')
  })

  it('can be imported, with types that compile', async () => {
    await writeFile(
      join(folder, 'use.mts'),
      `import { type Document, RegentClient, RegentError, readText } from 'regent-cli'
const client = new RegentClient({ server: '${service.base}' })
const { document, token } = await client.createDocument({ content: 'Hello' })
const read: Document = document
console.log((await readText(client, read.id)).text)
await client.deleteDocument(read.id, { token })
await client.readDocument(read.id).catch((error: unknown) => {
  console.log(error instanceof RegentError && [error.code, error.status, error.requestId !== null].join())
})
// @ts-expect-error: the number of views isn't text.
const wrong: string = read.views
`,
    )
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--module',
      'node20',
    ]
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'use.mts'], {
      cwd: folder,
    })
    expect(await runNode('use.mts')).toBe('Hello\nnot_found,404,true\n')
  })
})

import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  findRememberedDocument,
  forgetDocument,
  getConfigFile,
  getConfigFolder,
  getStateFolder,
  listRememberedDocuments,
  type RememberedDocument,
  readConfig,
  rememberDocument,
  type Surroundings,
  updateConfig,
} from '../../cli/src/storage.ts'

const SERVER = 'https://paste.example.org'

let home: string
let place: Surroundings

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'regent-'))
  place = { env: { HOME: home }, platform: 'linux' }
})

afterEach(() => rm(home, { recursive: true, force: true }))

const getMode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

const toDocument = (id: string, more: Partial<RememberedDocument> = {}): RememberedDocument => ({
  server: SERVER,
  id,
  token: `regent_doc_${id}`,
  title: null,
  size: 1,
  createdAt: 1,
  expiresAt: 10,
  ...more,
})

describe('the folders', () => {
  it.each([
    ['linux', {}, '/home/x/.config/regent', '/home/x/.local/state/regent'],
    ['linux', { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/regent', '/s/regent'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/x/.config/regent', '/home/x/.local/state/regent'],
    [
      'darwin',
      {},
      '/home/x/Library/Application Support/regent',
      '/home/x/Library/Application Support/regent',
    ],
    [
      'win32',
      { APPDATA: 'C:\\Roaming', LOCALAPPDATA: 'C:\\Local' },
      'C:\\Roaming\\regent',
      'C:\\Local\\regent',
    ],
  ] as const)('are the system’s on %s with %j', (platform, env, config, state) => {
    const surroundings = { platform, env: { HOME: '/home/x', ...env } }
    expect(getConfigFolder(surroundings)).toBe(config)
    expect(getStateFolder(surroundings)).toBe(state)
  })
})

describe('the config', () => {
  it('is empty at first', async () => {
    expect(await readConfig(place)).toEqual({ server: null, keys: {} })
  })

  it('is kept in a file that only the user can read, and leaves no other', async () => {
    await updateConfig(place, () => ({ server: SERVER, keys: { [SERVER]: 'imperial_x' } }))
    await updateConfig(place, (config) => config)
    expect(await readConfig(place)).toEqual({ server: SERVER, keys: { [SERVER]: 'imperial_x' } })
    const path = getConfigFile(place)
    expect([await getMode(path), await getMode(dirname(path))]).toEqual(['600', '700'])
    expect(await readdir(dirname(path))).toEqual(['config.json'])
  })

  it('is taken from others who could read it', async () => {
    await updateConfig(place, (config) => config)
    await chmod(getConfigFile(place), 0o644)
    await readConfig(place)
    expect(await getMode(getConfigFile(place))).toBe('600')
  })

  it.each(['', '{', '{"keys": {"x": 1}}', '{"server": 1}', 'null'])(
    'is never overwritten if it is %j',
    async (text) => {
      await updateConfig(place, (config) => config)
      await writeFile(getConfigFile(place), text)
      await expect(updateConfig(place, (config) => config)).rejects.toThrow('is damaged')
    },
  )
})

describe('remembered documents', () => {
  it('are found by server and id, in any letter case of their own', async () => {
    await rememberDocument(place, toDocument('bcdfghjk'))
    await rememberDocument(place, toDocument('BCDFGHJK'))
    await rememberDocument(place, toDocument('bcdfghjk', { server: 'http://other', token: 'other' }))
    expect((await findRememberedDocument(place, SERVER, 'BCDFGHJK'))?.token).toBe('regent_doc_BCDFGHJK')
    expect((await findRememberedDocument(place, 'http://other', 'bcdfghjk'))?.token).toBe('other')
    expect(await findRememberedDocument(place, SERVER, 'zzzzzzzz')).toBeNull()
  })

  it('are listed by server, newest first, until they expire', async () => {
    await rememberDocument(place, toDocument('bcdfghj2', { createdAt: 2 }))
    await rememberDocument(place, toDocument('bcdfghj3', { createdAt: 3 }))
    await rememberDocument(place, toDocument('bcdfghj4', { expiresAt: 5 }))
    await rememberDocument(place, toDocument('bcdfghj5', { server: 'http://other' }))
    const listed = await listRememberedDocuments(place, SERVER, 5)
    expect(listed.map(({ id }) => id)).toEqual(['bcdfghj3', 'bcdfghj2'])
    expect(await findRememberedDocument(place, SERVER, 'bcdfghj4')).toBeNull()
  })

  it('are kept in files that only the user can read', async () => {
    await rememberDocument(place, toDocument('bcdfghjk'))
    const folder = join(getStateFolder(place), 'documents')
    const [name = '', ...others] = await readdir(folder)
    expect([others, await getMode(join(folder, name))]).toEqual([[], '600'])
  })

  it('are not lost if many are remembered at once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `bcdfgh${String(index).padStart(2, '0')}`)
    await Promise.all(ids.map((id) => rememberDocument(place, toDocument(id))))
    expect(await listRememberedDocuments(place, SERVER, 1)).toHaveLength(20)
  })

  it('can be forgotten, also twice', async () => {
    await rememberDocument(place, toDocument('bcdfghjk'))
    await forgetDocument(place, SERVER, 'bcdfghjk')
    await forgetDocument(place, SERVER, 'bcdfghjk')
    expect(await listRememberedDocuments(place, SERVER, 1)).toEqual([])
  })

  it('ignore damaged files', async () => {
    await rememberDocument(place, toDocument('bcdfghjk'))
    await writeFile(join(getStateFolder(place), 'documents', 'x.json'), '{')
    expect(await listRememberedDocuments(place, SERVER, 1)).toHaveLength(1)
  })
})

import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseBrowser, fillOnce, type Machine } from '../../scripts/support/browser.ts'
import { CommandError } from '../../scripts/support/script.ts'

const machine = (
  platform: NodeJS.Platform,
  arch: NodeJS.Architecture,
  files: readonly string[],
  env: Machine['env'] = {},
): Machine => ({ platform, arch, env, exists: (path) => files.includes(path) })

const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const MAC_EDGE = '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'
const WINDOWS = { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' }
const WINDOWS_EDGE = 'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe'
const WINDOWS_CHROMIUM = 'C:\\Users\\ada\\AppData\\Local\\Chromium\\Application\\chrome.exe'

describe('the browser', () => {
  it.each([
    [
      'the package’s on Linux with x64',
      machine('linux', 'x64', ['/usr/bin/chromium'], { PATH: '/usr/bin' }),
      'package',
    ],
    [
      'an installed one on Linux with arm64',
      machine('linux', 'arm64', ['/usr/bin/chromium'], { PATH: '/bin:/usr/bin' }),
      '/usr/bin/chromium',
    ],
    ['Chrome on macOS', machine('darwin', 'arm64', [MAC_EDGE, MAC_CHROME]), MAC_CHROME],
    [
      'one of this user on macOS',
      machine('darwin', 'x64', [`/Users/ada${MAC_EDGE}`], { HOME: '/Users/ada' }),
      `/Users/ada${MAC_EDGE}`,
    ],
    ['Edge on Windows', machine('win32', 'x64', [WINDOWS_EDGE], WINDOWS), WINDOWS_EDGE],
    [
      'Chromium of this user on Windows',
      machine('win32', 'arm64', [WINDOWS_CHROMIUM], WINDOWS),
      WINDOWS_CHROMIUM,
    ],
    ['none on a Mac that has none', machine('darwin', 'arm64', []), null],
    ['none on another system', machine('freebsd', 'x64', []), null],
    [
      'that of CHROME_PATH, also on Linux with x64',
      machine('linux', 'x64', ['/opt/my-chrome'], { CHROME_PATH: '/opt/my-chrome' }),
      '/opt/my-chrome',
    ],
    [
      'that of CHROME_PATH before an installed one',
      machine('darwin', 'arm64', [MAC_CHROME, '/my'], { CHROME_PATH: '/my' }),
      '/my',
    ],
  ])('is %s', (_, described, expected) => {
    const chosen = chooseBrowser(described)
    expect(typeof chosen === 'object' && chosen ? chosen.program : chosen).toBe(expected)
  })

  it('is no other one if CHROME_PATH names a file that isn’t there', () => {
    const described = machine('linux', 'x64', [], { CHROME_PATH: '/opt/typo' })
    expect(() => chooseBrowser(described)).toThrow(
      new CommandError("CHROME_PATH is /opt/typo, which isn't there."),
    )
  })
})

describe('unpacking', () => {
  it('gives a complete folder to all who do it at once, and leaves nothing beside it', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'regent-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    const folder = join(parent, 'unpacked')
    // Each begins only when all have begun, and none sees a folder that is half full.
    const begun: (() => void)[] = []
    const unpack = async (own: string) => {
      await new Promise<void>((resolve) => {
        begun.push(resolve)
        if (begun.length === 3) for (const begin of begun) begin()
      })
      await writeFile(join(own, 'first'), '')
      expect(existsSync(folder) ? await readdir(folder) : ['first', 'second']).toEqual(['first', 'second'])
      await writeFile(join(own, 'second'), '')
    }
    await Promise.all([1, 2, 3].map(() => fillOnce(folder, unpack)))
    await fillOnce(folder, () => Promise.reject(new Error('unpacked again')))
    expect(await readdir(parent)).toEqual(['unpacked'])
    expect(await readdir(folder)).toEqual(['first', 'second'])
  })

  it('leaves nothing if it fails, and works the next time', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'regent-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    const folder = join(parent, 'unpacked')
    const fail = async (own: string) => {
      await writeFile(join(own, 'first'), '')
      throw new Error('the disk is full')
    }
    await expect(fillOnce(folder, fail)).rejects.toThrow('the disk is full')
    expect(await readdir(parent)).toEqual([])
    await fillOnce(folder, (own) => writeFile(join(own, 'first'), ''))
    expect(await readdir(folder)).toEqual(['first'])
  })
})

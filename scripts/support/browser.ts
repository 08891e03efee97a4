import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, posix, win32 } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium as playwright } from 'playwright-core'
import { CommandError, ROOT } from './script.ts'

/** The npm package that contains Chromium for Linux on x64. */
const PACKAGE = '@sparticuz/chromium'

const SYSTEM_FONTS = '/etc/fonts'

export const NO_BROWSER =
  'Found no browser. Install Chrome, Edge or Chromium, or set CHROME_PATH to the program of one.'

/** The machine, which decides what browser is used. Tests pretend to be other machines. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: NodeJS.Architecture
  readonly env: Readonly<Record<string, string | undefined>>
  readonly exists: (path: string) => boolean
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  arch: process.arch,
  env: process.env,
  exists: existsSync,
}

/** Returns where Chrome, Edge and Chromium install themselves, the most common first. */
function listInstalled({ platform, env }: Machine): string[] {
  if (platform === 'darwin') {
    return ['Google Chrome', 'Microsoft Edge', 'Chromium'].flatMap((name) =>
      ['', env.HOME ?? ''].map((folder) => `${folder}/Applications/${name}.app/Contents/MacOS/${name}`),
    )
  }
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
    return [
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
      'Chromium\\Application\\chrome.exe',
    ].flatMap((program) => folders.flatMap((folder) => (folder ? [win32.join(folder, program)] : [])))
  }
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder !== '')
  return ['google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chromium', 'chromium-browser'].flatMap(
    (program) => folders.map((folder) => posix.join(folder, program)),
  )
}

/**
 * Returns the program of the browser to use: `CHROME_PATH`, else the npm package's on the machines that it is made for, else
 * an installed one. Returns null if there is none.
 *
 * @throws CommandError if CHROME_PATH isn't a file.
 */
export function chooseBrowser(machine: Machine): { readonly program: string } | 'package' | null {
  const chosen = machine.env.CHROME_PATH
  if (chosen) {
    if (!machine.exists(chosen)) throw new CommandError(`CHROME_PATH is ${chosen}, which isn't there.`)
    return { program: chosen }
  }
  if (machine.platform === 'linux' && machine.arch === 'x64') return 'package'
  const program = listInstalled(machine).find(machine.exists)
  return program === undefined ? null : { program }
}

/** Returns true if browser tests can run here. */
export const hasBrowser = (): boolean => chooseBrowser(THIS_MACHINE) !== null

/** Describes the package's fonts: its own description expects them in the system's folder of temporary files. */
const formatFontConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

/**
 * Fills a folder unless it is there. Several processes can do that at once: each fills one of its own beside it, and only a
 * complete one gets the name.
 */
export async function fillOnce(folder: string, fill: (own: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const own = await mkdtemp(`${folder}-`)
  try {
    await fill(own)
    await rename(own, folder)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** Unpacks the package's Chromium into a folder of the project, and returns the folder. */
async function unpackBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'node_modules', PACKAGE, 'package.json'), 'utf8'))
  const folder = join(ROOT, 'dist', 'browser', `chromium-${version}`)
  await fillOnce(folder, async (own) => {
    // The package unpacks into the folder of temporary files, and its libraries only where it believes to be in a Lambda.
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', `await (await import('${PACKAGE}')).default.executablePath()`],
      { cwd: ROOT, env: { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' } },
    )
    await writeFile(join(own, 'fonts', 'fonts.conf'), formatFontConfig(folder))
  })
  return folder
}

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Returns how Playwright starts the browser, and unpacks it if necessary.
 *
 * @throws CommandError if there is none.
 */
export async function prepareBrowser() {
  const chosen = chooseBrowser(THIS_MACHINE)
  if (chosen === null) throw new CommandError(NO_BROWSER)
  if (chosen !== 'package') return { executablePath: chosen.program, args: ARGS }
  const folder = await unpackBrowser()
  const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env
  return {
    executablePath: join(folder, 'chromium'),
    args: ARGS,
    env: {
      ...process.env,
      // A bare system lacks some of the libraries.
      LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
      // The package has one proportional font. With the system's fonts, pages look as they do for users.
      FONTCONFIG_PATH:
        FONTCONFIG_PATH ?? (existsSync(`${SYSTEM_FONTS}/fonts.conf`) ? SYSTEM_FONTS : join(folder, 'fonts')),
    },
  }
}

export const startBrowser = async (): Promise<Browser> => playwright.launch(await prepareBrowser())

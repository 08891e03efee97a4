import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

const NAME = 'regent'

/** XDG folders must be absolute; others are ignored, as the XDG Base Directory Specification says. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && posix.isAbsolute(path) ? path : undefined

function getFolder(
  { env, platform }: Surroundings,
  xdg: string,
  fallback: string,
  windows: 'APPDATA' | 'LOCALAPPDATA',
): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  if (platform === 'win32') {
    const roaming = windows === 'APPDATA' ? 'Roaming' : 'Local'
    return win32.join(env[windows] ?? win32.join(home, 'AppData', roaming), NAME)
  }
  const chosen = absolute(env[xdg])
  if (chosen) return posix.join(chosen, NAME)
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support', NAME)
    : posix.join(home, fallback, NAME)
}

/** For the file with the API keys. */
export const getConfigFolder = (surroundings: Surroundings): string =>
  getFolder(surroundings, 'XDG_CONFIG_HOME', '.config', 'APPDATA')

/** For the document tokens, and texts that couldn't be saved. */
export const getStateFolder = (surroundings: Surroundings): string =>
  getFolder(surroundings, 'XDG_STATE_HOME', '.local/state', 'LOCALAPPDATA')

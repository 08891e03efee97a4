import { join } from 'node:path'
import { CliError } from '../exit-codes.ts'
import { getConfigFolder, type Surroundings } from './folders.ts'
import { readPrivateFile, writePrivateFile } from './private-files.ts'

export interface Config {
  /** The server to use unless an option or variable names one: its origin. */
  readonly server: string | null
  /** API keys by the origins of their servers. A key is never sent to another server. */
  readonly keys: Readonly<Record<string, string>>
}

const EMPTY: Config = { server: null, keys: {} }

export const getConfigFile = (surroundings: Surroundings): string =>
  join(getConfigFolder(surroundings), 'config.json')

function parseConfig(text: string): Config | null {
  try {
    const { server = null, keys = {} } = JSON.parse(text)
    const valid =
      (server === null || typeof server === 'string') &&
      typeof keys === 'object' &&
      keys !== null &&
      Object.values(keys).every((key) => typeof key === 'string')
    return valid ? { server, keys } : null
  } catch {
    return null
  }
}

/** @throws CliError for a damaged file, which is never overwritten. */
export async function readConfig(surroundings: Surroundings): Promise<Config> {
  const path = getConfigFile(surroundings)
  const text = await readPrivateFile(path)
  if (text === null) return EMPTY
  const config = parseConfig(text)
  if (!config) throw new CliError('failure', `${path} is damaged. Fix it, or delete it and sign in again`)
  return config
}

export async function updateConfig(
  surroundings: Surroundings,
  change: (config: Config) => Config,
): Promise<void> {
  const config = change(await readConfig(surroundings))
  await writePrivateFile(getConfigFile(surroundings), `${JSON.stringify(config, null, 2)}\n`)
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findLanguage } from '../../../src/shared/languages.ts'
import type { Document } from '../client/types.ts'
import { CliError } from '../exit-codes.ts'
import { getStateFolder, type Surroundings } from '../storage/folders.ts'
import { writePrivateFile } from '../storage/private-files.ts'
import { runEditor } from './programs.ts'
import { decodeInput } from './read-input.ts'
import type { Terminal } from './terminal.ts'

export interface Draft extends AsyncDisposable {
  readonly fileName: string
  /**
   * @returns the text after the editor has ended; null if the user emptied the file.
   * @throws CliError if the editor fails, or leaves something that isn't text.
   */
  readonly edit: (terminal: Terminal) => Promise<string | null>
}

function getFileName({ id, settings }: Document): string {
  const { title = '', language } = settings
  if (/^\w[\w.-]{0,80}$/.test(title)) return title
  const [extension = 'txt'] = findLanguage(language)?.extensions ?? []
  return `${id}.${extension}`
}

/** Only the user can read the file. It's deleted when the draft is disposed of. */
export async function openDraft(document: Document, text: string): Promise<Draft> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const fileName = getFileName(document)
  const path = join(folder, fileName)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await writeFile(path, text, { mode: 0o600 })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    fileName,
    edit: async (terminal) => {
      const problem = await runEditor(terminal, path)
      if (problem !== null) throw new CliError('failure', `${problem}. Nothing was saved`)
      const bytes = await readFile(path)
      return bytes.byteLength === 0 ? null : decodeInput(bytes, 'The file')
    },
    [Symbol.asyncDispose]: remove,
  }
}

export async function keepUnsavedText(terminal: Terminal, name: string, text: string): Promise<string> {
  const time = new Date(terminal.now()).toISOString().replaceAll(/[:.]/g, '-')
  const path = join(getUnsavedFolder(terminal), `${time}-${name}`)
  await writePrivateFile(path, text)
  return path
}

const getUnsavedFolder = (surroundings: Surroundings): string => join(getStateFolder(surroundings), 'unsaved')

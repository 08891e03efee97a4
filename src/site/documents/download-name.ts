import { getGistFileName } from '../../gists/gist-file-name.ts'

const MOST_NAME_CHARACTERS = 60

/** Languages whose first line tends to be a heading; that of a program is its first import. */
const TITLED: readonly string[] = ['plaintext', 'markdown', 'latex']

/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** What a document is saved as: a name that every file system takes, which says what is in it. */
export function downloadName({
  id,
  language,
  title,
}: {
  id: string
  language: string
  title: string | null
}): string {
  const stem = (title ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MOST_NAME_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '')
  const usable = TITLED.includes(language) && stem !== '' && !DEVICE.test(stem)
  return getGistFileName(usable ? stem.toWellFormed() : id, language)
}

import { getGistFileName } from '../../../gists/gist-file-name.ts'

const MAX_NAME_CHARACTERS = 60

/** Languages whose first line is usually a heading. The first line of a program is usually an import. */
const LANGUAGES_WITH_TITLE: readonly string[] = ['plaintext', 'markdown', 'latex']

/** File names that Windows reserves for devices. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** Returns the file name for a download, from the title if possible. Every file system accepts it. */
export function getDownloadName({
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
    .slice(0, MAX_NAME_CHARACTERS)
    .replaceAll(/^-|-$/g, '')
  const usable = LANGUAGES_WITH_TITLE.includes(language) && stem !== '' && !DEVICE_NAME.test(stem)
  return getGistFileName(usable ? stem.toWellFormed() : id, language)
}

import { isLength } from '../shared/derive-title.ts'
import { getFileExtension } from '../shared/languages.ts'
import type { Document } from './document.ts'

/** Most file systems take 255 bytes. */
const MAX_NAME_BYTES = 200
/** For the name of a file that nobody named. */
const MAX_STEM_CHARACTERS = 60

/** Languages whose first line is usually a heading. */
const LANGUAGES_WITH_TITLE: readonly string[] = ['plaintext', 'markdown', 'latex']

/** File names that Windows reserves for devices. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** What Windows, macOS or Linux refuses in a name, and what shells and browsers remove from its ends. */
const REFUSED = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu

/** Files that are known by a name without an extension. */
const PLAIN_NAMES =
  /^(?:makefile|gnumakefile|dockerfile|containerfile|jenkinsfile|vagrantfile|gemfile|rakefile|procfile|brewfile|justfile|caddyfile|pkgbuild|license|licence|readme|changelog|copying|authors|notice|codeowners|hosts|fstab|crontab|sshd_config|ssh_config)$/i

/** Whether a title names a file: it has an extension, is hidden, or is known. "Version 2.0" and "Mr. Smith" aren't. */
const isFileName = (name: string): boolean =>
  PLAIN_NAMES.test(name) ||
  /^[^\s].*\.[a-z0-9]*[a-z][\w+-]{0,11}$/i.test(name) ||
  /^\.[a-z][\w.-]+$/i.test(name)

function cutBytes(stem: string, maxBytes: number): string {
  let bytes = 0
  let cut = ''
  for (const character of stem) {
    bytes += new TextEncoder().encode(character).length
    if (bytes > maxBytes) break
    cut += character
  }
  return cut
}

/** Every file system accepts the result. Null if the title isn't the name of a file. */
function toFileName(title: string): string | null {
  const last = title.normalize('NFC').trim().split(/[/\\]/).at(-1)?.trim() ?? ''
  if (!isFileName(last)) return null
  const name = last.replaceAll(REFUSED, '-').replace(/[. ]$/, '')
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const cut = cutBytes(stem, MAX_NAME_BYTES - extension.length).toWellFormed() + extension
  return DEVICE_NAME.test(cut) ? `_${cut}` : cut
}

function toStem({ language, title }: Pick<Document, 'language' | 'title'>): string {
  if (title === null || isLength(title) || !LANGUAGES_WITH_TITLE.includes(language)) return ''
  const stem = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .slice(0, MAX_STEM_CHARACTERS)
    .replaceAll(/^-|-$/g, '')
  return DEVICE_NAME.test(stem) ? '' : stem.toWellFormed()
}

/**
 * The name of a document's file. A title that is the name of a file is used as it is.
 *
 * @example getFileName({ id: 'Y5gz7PTg', language: 'python', title: 'main.py', givenTitle: 'main.py' }) // 'main.py'
 */
export function getFileName(document: Pick<Document, 'id' | 'language' | 'title' | 'givenTitle'>): string {
  const named = document.givenTitle === null ? null : toFileName(document.givenTitle)
  return named ?? `${toStem(document) || document.id}.${getFileExtension(document.language)}`
}

/** For `Content-Disposition` (RFC 6266, RFC 8187). */
export function formatFileName(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7E]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ascii === name ? `filename="${name}"` : `filename="${ascii}"; filename*=UTF-8''${encoded}`
}

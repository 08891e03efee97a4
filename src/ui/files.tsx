import { type Display, MAX_RENDERED } from '../shared/display.ts'
import { isIntroduction, orderFiles, toSlugs } from '../shared/files.ts'
import { formatSize } from '../shared/format.ts'
import { findHiddenCharacters } from '../shared/hidden-characters.ts'
import { findLanguage, findLanguageOfFile, PLAIN_TEXT } from '../shared/languages.ts'
import { NO_CHUNKS, planChunks, type TextChunks, toShownLines } from '../shared/lines.ts'
import { linkText } from '../shared/links.ts'
import type { TextFile } from '../shared/txtar.ts'
import { HiddenWarning } from './hidden-warning.tsx'
import { Icon, ToolButton, ToolLink } from './icons.tsx'
import { MAX_LINE_ANCHORS, NumberedText } from './numbered-text.tsx'

// The files of a document, one below the other. src/client/files makes the same of the files that a browser decrypts.

/** A longer file shows its first lines until somebody asks for all of it. */
const MAX_OPEN_LINES = 500
const MAX_OPEN_BYTES = 256 * 1024
/** As in files.css. */
const CLIPPED_LINES = 20

/** Lines of three screens of a phone. With more, it shows the first file, and only the names of the others. */
const MAX_PHONE_LINES = 120

/** From this many files on, a menu lists them. */
export const MIN_LISTED_FILES = 4
/** From this many on, a wide window has the list beside the text. */
const MIN_RAIL_FILES = 6

/** With more lines in all, a browser lays out only the visible ones of each file, in chunks of so many. */
const MAX_LINES_AT_ONCE = 2_000
const CHUNK_LINES = 50

const encoder = new TextEncoder()

function describeFile(file: TextFile) {
  const shown = toShownLines(file.content)
  const chunks = planChunks(shown)
  const bytes = encoder.encode(file.content).byteLength
  const language = file.language ?? findLanguageOfFile(file.name)
  const isLong = chunks.lineCount > MAX_OPEN_LINES || bytes > MAX_OPEN_BYTES
  return { ...file, shown, chunks, bytes, isLong, language, isChosen: file.language !== undefined }
}

interface ShownFile extends ReturnType<typeof describeFile> {
  readonly slug: string
  /** In the document. A link to a line without a name means its first file. */
  readonly index: number
}

/** In the order of the page. */
function describeFiles(files: readonly TextFile[]): readonly ShownFile[] {
  const slugs = toSlugs(files.map(({ name }) => name))
  const described = files.map(describeFile)
  const lines = described.reduce((sum, { chunks }) => sum + chunks.lineCount, 0)
  const inChunks = ({ linesPerChunk, ...chunks }: TextChunks): TextChunks => ({
    ...chunks,
    linesPerChunk:
      linesPerChunk ?? (lines > MAX_LINES_AT_ONCE && chunks.lineCount > CHUNK_LINES ? CHUNK_LINES : null),
  })
  return orderFiles(
    described.map((file, index) => ({
      ...file,
      chunks: inChunks(file.chunks),
      slug: slugs[index] ?? '',
      index,
    })),
  )
}

export const formatLineCount = (lines: number): string =>
  `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`

const encodePath = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

interface FileProps {
  readonly file: ShownFile
  readonly id: string
  readonly display: Display
  readonly isOpen: boolean
  readonly hasAnchors: boolean
  /** The server has the text, and offers it at an address of its own. */
  readonly isOffered: boolean
  /** There are hidden characters in one of the files. */
  readonly hasHidden: boolean
}

const FileMenu = ({ file: { slug, name }, id, isOffered }: Pick<FileProps, 'file' | 'id' | 'isOffered'>) => {
  const raw = `/r/${id}/${encodePath(name)}`
  return (
    <div class="menu" id={`${slug}-more`} popover="auto">
      {isOffered && <ToolLink icon="raw" name="Raw" href={raw} inMenu />}
      <ToolLink
        icon="download"
        name="Download"
        href={isOffered ? raw : undefined}
        download={name.slice(name.lastIndexOf('/') + 1)}
        tool={isOffered ? undefined : 'file-download'}
        inMenu
      />
      <ToolLink icon="link" name="Copy link" href={`#${slug}`} tool="file-link" class="scripted" inMenu />
    </div>
  )
}

const FileSection = ({ file, display, isOpen, hasAnchors, hasHidden, ...props }: FileProps) => {
  const { name, slug, shown, chunks, bytes, language, isChosen, index, isLong, content } = file
  const known = language === null ? null : findLanguage(language)
  const data = {
    'data-language': known?.name ?? language ?? PLAIN_TEXT,
    ...(isChosen && language !== null && { 'data-chosen': language }),
    ...(language === null && { 'data-detect': '' }),
    ...(shown !== content && { 'data-line-breaks': 'cr' }),
    ...(known?.name === 'markdown' &&
      isIntroduction(name) &&
      content.length <= MAX_RENDERED && { 'data-starts-rendered': isLong ? 'long' : '' }),
  }
  const hasLinks = chunks.linesPerChunk === null && /:\/\/|mailto:/i.test(shown)
  return (
    <article class="file" id={slug} data-name={name} data-index={index}>
      <details open={isOpen}>
        <summary>
          <h2 dir="auto" title={name}>
            {name}
          </h2>
          <span class="file-facts quiet-text">
            <span class="file-language">
              <span>{known?.label ?? language ?? 'Plain text'}</span> ·{' '}
            </span>
            {formatLineCount(chunks.lineCount)} · {formatSize(bytes)}
          </span>
        </summary>
        {hasHidden && (
          <HiddenWarning
            hidden={findHiddenCharacters(shown)}
            renderPlace={({ line, where }) => <a href={`#${slug}-L${line}`}>{where}</a>}
          />
        )}
        <NumberedText
          text={shown}
          html={hasLinks ? linkText(shown) : null}
          chunks={chunks}
          display={display}
          data={data}
          file={{
            name,
            class: isLong ? 'clipped' : '',
            linePrefixes: hasAnchors ? [`${slug}-`, ...(index === 0 ? [''] : [])] : [],
          }}
        />
        {isLong && (
          <button type="button" class="quiet small scripted" data-tool="file-all">
            Show all{' '}
            {chunks.lineCount > CLIPPED_LINES ? formatLineCount(chunks.lineCount) : formatSize(bytes)}
          </button>
        )}
      </details>
      <div class="file-tools">
        <ToolButton icon="copy" name="Copy" tool="file-copy" />
        <ToolButton icon="more" name="More" popovertarget={`${slug}-more`} />
        <FileMenu {...props} file={file} />
      </div>
    </article>
  )
}

const FileList = ({ names }: { readonly names: readonly (readonly [name: string, slug: string])[] }) => (
  <nav id="files" class="menu outline" aria-label="Files" popover="auto">
    {names.map(([name, slug]) => (
      <a class="menu-item" href={`#${slug}`} title={name}>
        <bdi>{name}</bdi>
      </a>
    ))}
  </nav>
)

/** Opens the list of files, where the list isn't beside them. */
export const FilesButton = ({ count }: { readonly count: number }) => (
  <button
    type="button"
    class={count < MIN_RAIL_FILES ? 'quiet small' : 'quiet small files-button'}
    popovertarget="files"
  >
    Files {count}
    <Icon name="chevron-down" />
  </button>
)

interface FilesProps extends Pick<FileProps, 'id' | 'display' | 'isOffered' | 'hasHidden'> {
  readonly files: readonly TextFile[]
  readonly data: Readonly<Record<`data-${string}`, string>>
}

export const Files = ({ files, data, ...props }: FilesProps) => {
  const shown = describeFiles(files)
  const lines = shown.map(({ chunks, isLong }) => (isLong ? CLIPPED_LINES : chunks.lineCount) + 2)
  const isFolded = props.display.isNarrow && lines.reduce((sum, count) => sum + count, 0) > MAX_PHONE_LINES
  let anchors = MAX_LINE_ANCHORS
  return (
    <div class={shown.length < MIN_RAIL_FILES ? 'files' : 'files has-rail'} {...data}>
      {shown.length >= MIN_LISTED_FILES && <FileList names={shown.map(({ name, slug }) => [name, slug])} />}
      <div class="file-stack">
        {shown.map((file, index) => {
          anchors -= file.chunks.lineCount
          return (
            <FileSection {...props} file={file} isOpen={index === 0 || !isFolded} hasAnchors={anchors >= 0} />
          )
        })}
      </div>
    </div>
  )
}

/** What a script fills in and repeats for each file that it has decrypted. */
export const FilePrototype = (props: Pick<FilesProps, 'id' | 'display'>) => (
  <template id="file">
    <FileSection
      {...props}
      file={{
        name: '',
        slug: '',
        content: '',
        shown: '',
        chunks: NO_CHUNKS,
        bytes: 0,
        isLong: true,
        language: null,
        isChosen: false,
        index: 0,
      }}
      isOpen
      hasAnchors={false}
      hasHidden={false}
      isOffered={false}
    />
  </template>
)

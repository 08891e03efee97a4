import { type Display, MAX_RENDERED } from '../shared/display.ts'
import {
  areFolded,
  type DescribedFile,
  describeFiles,
  type FileMeasures,
  isIntroduction,
  MIN_LISTED_FILES,
} from '../shared/files.ts'
import { findHiddenCharacters } from '../shared/hidden-characters.ts'
import { MAX_UNITS_AT_ONCE } from '../shared/lines.ts'
import { linkText } from '../shared/links.ts'
import type { TextFile } from '../shared/txtar.ts'
import { FILES_STYLES } from './assets.generated.ts'
import { HiddenWarning } from './hidden-warning.tsx'
import { Icon, ToolButton, ToolLink } from './icons.tsx'
import { MAX_LINE_ANCHORS, NumberedText } from './numbered-text.tsx'

// The files of a document, one below the other. src/client/files makes the same of the files that a browser decrypts.

const encodePath = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

interface FileProps {
  readonly file: DescribedFile
  readonly display: Display
  readonly isOpen: boolean
  readonly hasAnchors: boolean
  /** Otherwise, a script makes links of the addresses that are visible. */
  readonly hasLinks: boolean
  /** There are hidden characters in one of the files. */
  readonly hasHidden: boolean
  /** The start of the address of a file's text. It's null where the server can't offer the text. */
  readonly rawPath: string | null
  /** There is nothing that a link could lead to any more. */
  readonly burned: boolean
}

const FileMenu = ({ file, rawPath, burned }: Pick<FileProps, 'file' | 'rawPath' | 'burned'>) => {
  const { slug, name } = file
  const raw = rawPath === null ? undefined : `${rawPath}/${encodePath(name)}`
  return (
    <div class="menu" id={`${slug}-more`} popover="auto">
      {raw && <ToolLink icon="raw" name="Raw" href={raw} inMenu />}
      <ToolLink
        icon="download"
        name="Download"
        href={raw}
        download={name.slice(name.lastIndexOf('/') + 1)}
        tool={raw ? undefined : 'file-download'}
        inMenu
      />
      {!burned && (
        <ToolLink icon="link" name="Copy link" href={`#${slug}`} tool="file-link" class="scripted" inMenu />
      )}
    </div>
  )
}

const FileSection = ({ file, display, isOpen, hasAnchors, hasLinks, hasHidden, ...access }: FileProps) => {
  const { name, slug, shown, chunks, language, chosen, index, content, showAll } = file
  const startsRendered = language === 'markdown' && isIntroduction(name) && content.length <= MAX_RENDERED
  return (
    <article class="file" id={slug} data-name={name} data-index={index}>
      <details open={isOpen}>
        <summary>
          <h2 dir="auto" title={name}>
            {name}
          </h2>
          <span class="file-facts quiet-text">
            <span class="file-language">
              <span>{file.label}</span> ·{' '}
            </span>
            <span>{file.facts}</span>
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
          data={{
            'data-language': language,
            ...(chosen !== undefined && { 'data-chosen': chosen }),
            ...(file.isUnknown && { 'data-detect': '' }),
            ...(shown !== content && { 'data-line-breaks': 'cr' }),
            ...(startsRendered && { 'data-starts-rendered': showAll ? 'long' : '' }),
          }}
          file={{
            name,
            class: showAll ? 'clipped' : '',
            linePrefixes: hasAnchors ? [`${slug}-`, ...(index === 0 ? [''] : [])] : [],
            hasNumbers: file.hasNumbers,
          }}
        />
        {showAll && (
          <button type="button" class="quiet small scripted" data-tool="file-all">
            {showAll}
          </button>
        )}
      </details>
      <div class="file-tools">
        <ToolButton icon="copy" name="Copy" tool="file-copy" />
        <ToolButton icon="more" name="More" popovertarget={`${slug}-more`} />
        <FileMenu {...access} file={file} />
      </div>
    </article>
  )
}

const FileList = ({ files }: { readonly files: readonly DescribedFile[] }) => (
  <nav id="files" class="menu outline" aria-label="Files" popover="auto">
    {files.map(({ name, slug }) => (
      <a class="menu-item" href={`#${slug}`} title={name}>
        <bdi>{name}</bdi>
      </a>
    ))}
  </nav>
)

/** Opens the list of files, where the list isn't beside them. */
export const FilesButton = ({ count }: { readonly count: number }) => (
  <button type="button" class="quiet small" popovertarget="files">
    Files {count}
    <Icon name="chevron-down" />
  </button>
)

/** Finds the files whose addresses become links: together they have no more text than a document that is laid out as a whole. */
function findLinkedFiles(files: readonly DescribedFile[]): ReadonlySet<DescribedFile> {
  let unitsLeft = MAX_UNITS_AT_ONCE
  return new Set(
    files.filter(({ shown, chunks }) => {
      if (chunks.linesPerChunk !== null || shown.length > unitsLeft || !/:\/\/|mailto:/i.test(shown))
        return false
      unitsLeft -= shown.length
      return true
    }),
  )
}

interface FilesProps extends Pick<FileProps, 'display' | 'hasHidden' | 'rawPath' | 'burned'> {
  readonly files: readonly TextFile[]
  readonly measures: readonly FileMeasures[]
  readonly data: Readonly<Record<`data-${string}`, string>>
}

export const Files = ({ files, measures, data, ...props }: FilesProps) => {
  const shown = describeFiles(files, measures)
  const isFolded = props.display.isNarrow && areFolded(shown)
  const linked = findLinkedFiles(shown)
  let lines = 0
  return (
    <div class="files" {...data}>
      {shown.length >= MIN_LISTED_FILES && <FileList files={shown} />}
      <div class="file-stack">
        {shown.map((file, index) => {
          lines += file.chunks.lineCount
          return (
            <FileSection
              {...props}
              file={file}
              isOpen={index === 0 || !isFolded}
              hasAnchors={lines <= MAX_LINE_ANCHORS}
              hasLinks={linked.has(file)}
            />
          )
        })}
      </div>
    </div>
  )
}

const NO_FILES = describeFiles([{ name: '', content: '' }])

/** A template that a script fills in, and repeats, for the files that it has decrypted. */
export const FilesPrototype = (props: Pick<FilesProps, 'display' | 'burned'>) => (
  <template id="files-prototype" data-styles={FILES_STYLES}>
    <FilesButton count={0} />
    <div class="files">
      <FileList files={NO_FILES} />
      <div class="file-stack">
        {NO_FILES.map((file) => (
          <FileSection
            {...props}
            file={{ ...file, showAll: 'Show all' }}
            isOpen
            hasAnchors={false}
            hasLinks={false}
            hasHidden={false}
            rawPath={null}
          />
        ))}
      </div>
    </div>
  </template>
)

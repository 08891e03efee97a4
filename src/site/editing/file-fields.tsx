import { TEXT_CHARACTERS } from '../../shared/escape.ts'
import { AUTO, TXTAR } from '../../shared/languages.ts'
import { joinCrLf } from '../../shared/lines.ts'
import {
  findNameProblem,
  formatArchive,
  isFileLanguage,
  MAX_FILE_NAME_CHARACTERS,
  MAX_FILES,
  NAME_TAKEN,
  parseArchive,
  type TextFile,
} from '../../shared/txtar.ts'
import { SlicedText } from '../../ui/page.tsx'
import { invalidField } from './form-values.ts'

// Without scripts, a document of several files is written in a text box for each.

type Fields = ReadonlyMap<string, string>

const getNames = (index: number) => ({
  name: `file_name_${index}`,
  content: `file_content_${index}`,
  language: `file_language_${index}`,
})

/** Returns null for a form with one text box. */
function readBoxes(fields: Fields): TextFile[] | null {
  const files: TextFile[] = []
  for (let index = 0; index < MAX_FILES && fields.has(getNames(index).content); index += 1) {
    const names = getNames(index)
    const content = joinCrLf(fields.get(names.content) ?? '')
    const language = fields.get(names.language) ?? ''
    const name = fields.get(names.name)?.trim() ?? ''
    files.push({ name, content, ...(isFileLanguage(language) && { language }) })
  }
  return files.length === 0 ? null : files
}

const isUsed = ({ name, content }: TextFile): boolean => name !== '' || content !== ''

export interface JoinedFields {
  readonly fields: ReadonlyMap<string, string>
  /** The files that the form has; null if it has one text box. */
  readonly files: readonly TextFile[] | null
}

/** Makes the one text of the text boxes, and sets the language that goes with it. Boxes without name and text don't count. */
export function joinFileFields(fields: Fields): JoinedFields {
  const files = readBoxes(fields)
  if (!files) return { fields, files }
  const [only, ...others] = files.filter(isUsed)
  const joined = new Map(fields)
  joined.set('content', only && others.length > 0 ? formatArchive([only, ...others]) : (only?.content ?? ''))
  if (others.length > 0) joined.set('language', TXTAR)
  else if (joined.get('language') === TXTAR) joined.set('language', AUTO)
  if (others.length === 0 && only && !joined.get('title')) joined.set('title', only.name)
  return { fields: joined, files }
}

function findProblem(files: readonly TextFile[], index: number): string | null {
  const file = files[index]
  if (!file || !isUsed(file)) return null
  const isTaken = files.slice(0, index).some(({ name }) => name === file.name)
  return isTaken ? NAME_TAKEN : findNameProblem(file.name)
}

/** @throws AppError `bad_request` for a name that breaks the rule. */
export function requireFileNames(files: readonly TextFile[] | null): void {
  if (!files || files.filter(isUsed).length < 2) return
  for (const [index, { name }] of files.entries()) {
    const problem = findProblem(files, index)
    if (problem !== null) throw invalidField('files', `File name “${name}”: ${problem}`)
  }
}

/** Answers the button that adds a file: the files of the form so far, and an empty one. */
export function addFileBox({ fields, files }: JoinedFields): { files: TextFile[]; title: string } {
  const content = joinCrLf(fields.get('content') ?? '')
  const title = fields.get('title')?.trim() ?? ''
  const archive = fields.get('language') === TXTAR ? parseArchive(content) : null
  if (!files && archive && archive.length > 1) return { files: archive, title }
  const named = !files && findNameProblem(title) === null && /\.\w+$/.test(title)
  const before = files ?? [{ name: named ? title : '', content }]
  const added = before.length < MAX_FILES ? [...before, { name: '', content: '' }] : [...before]
  return { files: added, title: named ? '' : title }
}

export const AddFileButton = ({ isArchive }: { isArchive: boolean }) => (
  <button type="submit" name="add" value="file" class="quiet small" formnovalidate>
    {isArchive ? 'Edit file by file' : 'Add another file'}
  </button>
)

interface FileBoxesProps {
  readonly files: readonly TextFile[]
  /** The element that says what is wrong with the form. */
  readonly problemId: string | undefined
}

export const FileBoxes = ({ files, problemId }: FileBoxesProps) => (
  <>
    {files.map(({ name, content, language }, index) => (
      <fieldset class="file-box">
        <legend class="visually-hidden">File {index + 1}</legend>
        <label>
          File name
          <input
            name={getNames(index).name}
            value={name}
            maxlength={MAX_FILE_NAME_CHARACTERS}
            autocapitalize="off"
            spellcheck={false}
            {...(problemId !== undefined &&
              findProblem(files, index) !== null && {
                'aria-invalid': 'true',
                'aria-describedby': problemId,
              })}
          />
        </label>
        <textarea
          name={getNames(index).content}
          aria-label={`Text of ${name || `file ${index + 1}`}`}
          spellcheck={false}
          autocapitalize="off"
        >
          {'\n'}
          <SlicedText text={content} characters={TEXT_CHARACTERS} />
        </textarea>
        {language !== undefined && <input type="hidden" name={getNames(index).language} value={language} />}
      </fieldset>
    ))}
    {files.length < MAX_FILES && (
      <p class="file-box">
        <AddFileButton isArchive={false} />
      </p>
    )}
  </>
)

import { CONVERT_COMMAND, type DecodedText, decodeBytes, detectUtf16 } from '../../shared/encodings.ts'
import { EXPIRY_CHOICES } from '../../shared/expiry.ts'
import { isChoice } from '../../shared/form-settings.ts'
import { TXTAR } from '../../shared/languages.ts'
import { hasCrLines, MIXED_LINE_BREAKS } from '../../shared/lines.ts'
import type { RequestSettings } from '../../shared/settings.ts'
import type { Preview } from '../markdown/preview.ts'
import type { FormText, Scan } from '../scan/scan-control.ts'
import { cloneTemplate, createButton, createElement, requireElement } from '../shared/elements.ts'
import { yieldToPage } from '../text/chunks.ts'
import { closeMenusElsewhere } from './bar-menus.ts'
import type { FileTabs } from './file-tabs.ts'
import { bindLanguageField, type LanguageField } from './language-field.ts'
import { announceInForm, clearError, refusesChange, SaveError, showError } from './save-form.ts'
import { type CodeEditor, CR_KEPT, createUpgradingEditor } from './text-box.ts'

interface DocumentForm {
  readonly form: HTMLFormElement
  /** Has one text, also of several files. */
  readonly codeEditor: CodeEditor
  readonly language: LanguageField
  readonly maxContentBytes: number
}

interface WholeForm extends DocumentForm {
  readonly files: SeveralFiles
}

const MIB = 1024 * 1024

/** The oldest supported browsers may lack `isWellFormed()`. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** @example "10 MiB", "1.5 MiB", "65,536 bytes" */
export const formatLimit = (bytes: number): string =>
  bytes >= MIB ? `${Math.floor((bytes / MIB) * 10) / 10} MiB` : `${bytes.toLocaleString('en')} bytes`

export async function requireContent(text: string, maxContentBytes: number): Promise<string> {
  if (text === '') throw new SaveError('Write something first.', 'content')
  if (LONE_SURROGATE.test(text)) {
    throw new SaveError('The text contains an invalid character. Remove it, then try again.', 'content')
  }
  await yieldToPage()
  // A UTF-16 code unit takes at least one byte of UTF-8, so most oversized texts needn't be encoded.
  const tooLarge =
    text.length > maxContentBytes || new TextEncoder().encode(text).byteLength > maxContentBytes
  if (tooLarge) {
    throw new SaveError(`The text is too large. The limit is ${formatLimit(maxContentBytes)}.`, 'content')
  }
  return text
}

const NO_TEXT = 'it isn’t a text file (UTF-8).'
const OTHER_ENCODING = `it isn’t text in UTF-8. If it’s text in another encoding, save it as UTF-8 in your editor, or convert it: ${CONVERT_COMMAND}`

/** UTF-16 takes up to twice as many bytes as the UTF-8 that it becomes. */
const UTF16_FACTOR = 2

/** Keeps a byte order mark of UTF-8. */
export async function readTextFile(file: File, maxContentBytes: number): Promise<DecodedText> {
  const refuse = (reason: string) => new SaveError(`Can’t open “${file.name}”: ${reason}`, 'content')
  const tooLarge = () => refuse(`it’s larger than ${formatLimit(maxContentBytes)}.`)
  if (file.size > UTF16_FACTOR * maxContentBytes) throw tooLarge()
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml')
    throw refuse('it’s an image, and only text can be shared.')
  const buffer = await file.arrayBuffer().catch(() => {
    throw refuse('your browser couldn’t read it.')
  })
  const bytes = new Uint8Array(buffer)
  if (file.size > maxContentBytes && detectUtf16(bytes) === null) throw tooLarge()
  try {
    return decodeBytes(bytes)
  } catch {
    throw refuse(bytes.includes(0) ? NO_TEXT : OTHER_ENCODING)
  }
}

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/**
 * Adds the files of a document with several. Their code is loaded with the second one. The code editor that it returns has
 * the text of all of them, and `maySplit` is false where the form can't say that there are several.
 */
function addSeveralFiles(documentForm: DocumentForm) {
  const { form, codeEditor } = documentForm
  const maySplit = form.querySelector('select#language') !== null
  let tabs: FileTabs | null = null
  const readText = (file: File) =>
    readTextFile(file, documentForm.maxContentBytes).then(
      ({ text }) => text,
      () => null,
    )
  let loading: Promise<FileTabs | null> | null = null
  const load = () => {
    loading ??= import('./file-tabs.ts')
      .then(async ({ createFileTabs }) => {
        await codeEditor.ready
        tabs = createFileTabs({ ...documentForm, readText })
        return tabs
      })
      .catch((error) => {
        console.error(error)
        loading = null
        announceInForm('Part of this page couldn’t be loaded. Check your connection and try again.')
        return null
      })
    return loading
  }
  const whole: CodeEditor = {
    ...codeEditor,
    text: () => tabs?.text() ?? codeEditor.text(),
    isEmpty: () => tabs?.isEmpty() ?? codeEditor.isEmpty(),
    replace: (text) => {
      tabs?.close()
      return codeEditor.replace(text)
    },
  }
  for (const button of form.querySelectorAll('[data-part="add-file"]')) {
    button.addEventListener('click', async () => {
      const menu = button.closest('details')
      if (menu) menu.open = false
      await (await load())?.addNew()
    })
  }
  return {
    whole,
    /** The code editor with the file that it shows. */
    inSight: codeEditor,
    maySplit,
    load,
    isOpen: () => tabs?.isOpen() ?? false,
    /** Returns null while there is one text. */
    listTexts: () => (tabs?.isOpen() ? tabs.listTexts() : null),
    /** Opens the files of a text that is an archive. Returns null if it's a text like any other. */
    openArchive: async (stored?: string) => {
      const chosen = form.querySelector<HTMLSelectElement>('select#language')?.value
      const archive = { language: chosen ?? '', languageChosen: form.dataset.detect === undefined }
      const mayOpen = chosen === TXTAR || (!archive.languageChosen && codeEditor.start(3) === '-- ')
      return (mayOpen && (await load())?.open(archive, stored)) || null
    },
    /** Returns null before the code of files is loaded, and where the form can't say that there are several. */
    merge: (...args: Parameters<FileTabs['merge']>) => (maySplit && tabs?.merge(...args)) || null,
  }
}

export type SeveralFiles = ReturnType<typeof addSeveralFiles>

/** Browsers allow it only while the event is handled. */
const readEntries = (items: DataTransferItemList | undefined): FileSystemEntry[] =>
  [...(items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? [])

/** Asks whether a file joins the text that is there, or takes its place. */
function askWhere(form: HTMLFormElement, name: string, choices: Readonly<Record<string, () => void>>): void {
  document.getElementById('add-or-replace')?.remove()
  const banner = createElement('div', {
    id: 'add-or-replace',
    className: 'strip row quiet-text',
    role: 'group',
    ariaLabel: `Open “${name}”`,
  })
  const choose = (act: () => void) => () => {
    banner.remove()
    act()
  }
  const buttons = Object.entries(choices).map(([label, act]) => createButton(label, choose(act)))
  for (const button of buttons) button.className = 'quiet small'
  banner.append(createElement('span', { textContent: `“${name}”` }), ...buttons)
  requireElement('[data-part="strip"]', form).prepend(banner)
  buttons[0]?.focus()
}

function openFilesIntoEditor(documentForm: WholeForm, onOpen: (name: string) => void): void {
  const { form, codeEditor, language, maxContentBytes, files: several } = documentForm
  const addFiles = async (chosen: readonly (File | FileSystemEntry)[]) =>
    (await several.load())?.addFiles(chosen)
  const openFiles = async (files: FileList | null | undefined, entries: readonly FileSystemEntry[] = []) => {
    if (refusesChange(form)) return
    const [file, ...others] = files ?? []
    const folder = entries.find(({ isDirectory }) => isDirectory)
    if (!several.maySplit) return open(file, others.length)
    if (folder || others.length > 0) return addFiles(folder ? entries : [...(files ?? [])])
    if (file && several.isOpen()) return addFiles([file])
    if (!file || codeEditor.isEmpty()) return open(file)
    const isText = await readTextFile(file, maxContentBytes).then(
      () => true,
      (error) => refuse(error),
    )
    if (!isText) return
    askWhere(form, file.name, {
      'Add as file': () => void addFiles([file]),
      Replace: () => void (several.isOpen() ? addFiles([file]) : open(file)),
    })
  }
  const refuse = (error: unknown): false => {
    if (!(error instanceof SaveError)) throw error
    showError(form, codeEditor, error)
    return false
  }
  const open = async (file: File | undefined, skipped = 0) => {
    if (!file) return
    try {
      const { text, convertedFrom } = await readTextFile(file, maxContentBytes)
      // Reading a long text and showing it in one task would block the page.
      await yieldToPage()
      if (refusesChange(form)) return
      clearError(form, codeEditor)
      const keepsLineBreaks = codeEditor.replace(text)
      onOpen(file.name)
      language.chooseForFile(file.name)
      const messages = [
        `Opened “${file.name}”.`,
        convertedFrom !== null && `It was ${convertedFrom}, and is UTF-8 now.`,
        !keepsLineBreaks && MIXED_LINE_BREAKS,
        hasCrLines(text) && CR_KEPT,
        skipped > 0 && 'You can open one file at a time, so the other files were skipped.',
      ]
      announceInForm(messages.filter(Boolean).join(' '))
      codeEditor.focus()
    } catch (error) {
      refuse(error)
    }
  }
  const input = requireElement<HTMLInputElement>('[data-part="file"]', form)
  requireElement('[data-part="open"]', form).addEventListener('click', (event) => {
    input.webkitdirectory = several.maySplit && event instanceof MouseEvent && event.shiftKey
    input.click()
  })
  input.addEventListener('change', () => {
    void openFiles(input.files)
    // Otherwise choosing the same file again would be no change.
    input.value = ''
  })

  // These listeners are on the whole page: a file dropped beside the code editor would replace the page, text included.
  const capture = { capture: true }
  addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      form.classList.add('dropping')
    },
    capture,
  )
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) form.classList.remove('dropping')
  })
  addEventListener(
    'drop',
    (event) => {
      form.classList.remove('dropping')
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      void openFiles(event.dataTransfer?.files, readEntries(event.dataTransfer?.items))
    },
    capture,
  )
  form.addEventListener(
    'paste',
    (event) => {
      const { clipboardData } = event
      // Office programs copy text together with an image of it.
      if (!hasFiles(clipboardData) || clipboardData?.types.includes('text/plain')) return
      event.preventDefault()
      event.stopPropagation()
      void openFiles(clipboardData?.files)
    },
    capture,
  )
}

const DEBOUNCE_MS = 400

/** Languages that have a preview. */
const PREVIEWED: readonly string[] = ['markdown', 'mermaid']

/** Shows a preview button while the language has a preview. The preview's code is loaded when it is first displayed. */
function startPreviewButton({ form, codeEditor, language }: DocumentForm): void {
  const button = requireElement<HTMLButtonElement>('[data-part="preview"]', form)
  let preview: Preview | null = null
  let current = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const { highlightWorker = '', markdownStyles = '' } = form.dataset

  const set = (shown: boolean) => {
    button.ariaPressed = String(shown)
    if (shown) preview?.show(current)
    else preview?.hide()
  }
  const open = async () => {
    try {
      const { createPreview } = await import('../markdown/preview.ts')
      preview ??= await createPreview({
        form,
        codeEditor,
        workerAddress: highlightWorker,
        stylesAddress: markdownStyles,
      })
      set(true)
    } catch {
      announceInForm('The preview couldn’t be loaded. Check your connection and try again.')
    }
  }
  const update = async () => {
    current = await language.current().catch(() => '')
    button.hidden = !PREVIEWED.includes(current)
    if (button.hidden) set(false)
    else if (button.ariaPressed === 'true') set(true)
  }
  button.addEventListener('click', () => {
    if (button.ariaPressed === 'true') set(false)
    else void open()
  })
  const updateSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(update, DEBOUNCE_MS)
  }
  codeEditor.onChange(updateSoon)
  for (const event of ['input', 'change']) form.addEventListener(event, updateSoon)
  void update()
}

const ON_DATE = 'date'

/** The choice of a date needs the browser's time zone. */
function addExpiryDate(form: HTMLFormElement): void {
  const select = form.querySelector<HTMLSelectElement>('#expires')
  if (!select || form.dataset.anyDate === 'false') return
  const dateField = cloneTemplate('expiry-date-template')
  requireElement('[data-part="strip"]', form).append(dateField)
  select.add(new Option('Date…', ON_DATE))
  select.addEventListener('change', () => {
    dateField.hidden = select.value !== ON_DATE
    if (!dateField.hidden) requireElement('input', dateField).focus()
  })
}

export function readExpiryDate(form: HTMLFormElement): string {
  const date = new Date(requireElement<HTMLInputElement>('#expires-at', form).value)
  if (Number.isNaN(date.getTime())) throw new SaveError('Choose an expiry date and time.', 'expires')
  return date.toISOString()
}

export function readExpiration(form: HTMLFormElement): RequestSettings<'expiration'> {
  const choice = form.querySelector<HTMLSelectElement>('#expires')?.value ?? ''
  if (choice !== ON_DATE)
    return isChoice('expires', choice) ? { expiration: EXPIRY_CHOICES[choice].days } : {}
  return { expiration: readExpiryDate(form) }
}

/** The page has the shortcut as most platforms write it. */
function showSaveKey(form: HTMLFormElement): void {
  const button = requireElement<HTMLButtonElement>('button[type="submit"]', form)
  const isApple = /mac|iphone|ipad/i.test(navigator.platform)
  button.setAttribute('aria-keyshortcuts', isApple ? 'Meta+S Meta+Enter' : 'Control+S Control+Enter')
  if (isApple) requireElement('kbd', button).textContent = '⌘S'
}

/**
 * Shows a button that pastes, on touch screens and while there is no text: pasting by hand takes a long press and a
 * menu.
 */
function startPasteButton({ form, codeEditor }: DocumentForm): void {
  const button = requireElement<HTMLButtonElement>('[data-part="paste"]', form)
  const canPaste =
    matchMedia('(pointer: coarse)').matches && typeof navigator.clipboard?.readText === 'function'
  const update = () => {
    button.hidden = !canPaste || !codeEditor.isEmpty()
  }
  button.addEventListener('click', async () => {
    const text = await navigator.clipboard.readText().catch(() => null)
    if (refusesChange(form)) return
    if (text) return codeEditor.replace(text)
    announceInForm(
      text === ''
        ? 'Your clipboard is empty.'
        : 'Your browser didn’t allow it. Press and hold here to paste.',
    )
    codeEditor.focus()
  })
  codeEditor.onChange(update)
  update()
}

/** Loads what looks for secrets once there is text. Returns what asks before a document with a secret becomes public. */
function lookForSecrets({ form, codeEditor, files }: WholeForm): () => Promise<void> {
  const only: FormText = {
    key: codeEditor,
    shown: codeEditor.start,
    describe: (line) => `line ${line}`,
    goTo: ({ from, to }) => codeEditor.select(from, to),
    change: codeEditor.change,
    canUndo: true,
  }
  let loading: Promise<Scan> | null = null
  const load = () => {
    loading ??= import('../scan/scan-control.ts').then(({ createScan }) =>
      createScan({ form, codeEditor, listTexts: () => files.listTexts() ?? [only] }),
    )
    return loading
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const loadSoon = () => {
    clearTimeout(timer)
    if (loading || codeEditor.isEmpty()) return
    timer = setTimeout(() => {
      load()
        .then((scan) => scan.update())
        // Whoever can't load it shares without it.
        .catch(() => {})
    }, DEBOUNCE_MS)
  }
  codeEditor.onChange(loadSoon)
  loadSoon()
  return async () => {
    const visibility = form.querySelector<HTMLSelectElement>('[name="visibility"]')?.value
    if (visibility !== 'public') return
    const button = requireElement('button[type="submit"]', form).firstChild?.textContent ?? ''
    // Without it, sharing works as without scripts.
    const scan = await load().catch(console.error)
    await scan?.confirmPublic(button)
  }
}

export function startDocumentForm(
  form: HTMLFormElement,
  { text, onOpenFile = () => {} }: { text?: string; onOpenFile?: (name: string) => void } = {},
): WholeForm & { readonly confirmPublic: () => Promise<void> } {
  const codeEditor = createUpgradingEditor(form, text)
  const language = bindLanguageField(form, codeEditor)
  const maxContentBytes = Number(form.dataset.maxContentBytes)
  const shown = { form, codeEditor, language, maxContentBytes }
  const files = addSeveralFiles(shown)
  const documentForm = { ...shown, files }
  startPreviewButton(documentForm)
  openFilesIntoEditor(documentForm, onOpenFile)
  addExpiryDate(form)
  closeMenusElsewhere([...form.querySelectorAll<HTMLDetailsElement>('details.bar-menu')])
  showSaveKey(form)
  startPasteButton(documentForm)
  return { ...documentForm, codeEditor: files.whole, confirmPublic: lookForSecrets(documentForm) }
}

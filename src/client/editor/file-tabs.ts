import { mergeFiles, parseSaved, type SavedText } from '../../shared/compare/merge-files.ts'
import { toOnlyFile } from '../../shared/compare/pair-files.ts'
import { findFiles } from '../../shared/find-files.ts'
import {
  AUTO,
  findLanguageOfFile,
  findLanguageOfTitle,
  getFileExtension,
  PLAIN_TEXT,
  TXTAR,
} from '../../shared/languages.ts'
import { applyReplacements } from '../../shared/scan/redact.ts'
import {
  findFreeName,
  findNameProblem,
  formatArchive,
  isFileLanguage,
  MAX_FILES,
  NAME_TAKEN,
  parseArchive,
  type TextFile,
} from '../../shared/txtar.ts'
import type { FormText } from '../scan/scan-control.ts'
import { createButton, createElement, requireElement } from '../shared/elements.ts'
import { createFileMenu, type ListedFile } from './file-menu.ts'
import type { LanguageField } from './language-field.ts'
import { announceInForm, refusesChange } from './save-form.ts'
import { type CodeEditor, type KeptText, keepText, readKept } from './text-box.ts'

interface OpenFile extends ListedFile {
  /** The language that somebody chose, or `auto`. */
  choice: string
  /** Is outdated while the file is in the code editor. */
  kept: KeptText
  /** The text that the document has; null for a new file or a new document. */
  saved: string | null
}

interface FileForm {
  readonly form: HTMLFormElement
  readonly codeEditor: CodeEditor
  readonly language: LanguageField
  readonly maxContentBytes: number
  /** Returns null for what isn't text. */
  readonly readText: (file: File) => Promise<string | null>
}

/** A title that names a file becomes the name of the first one. */
const isFileName = (title: string): boolean =>
  findNameProblem(title) === null && (findLanguageOfTitle(title) !== null || /^\S+\.\w{1,12}$/.test(title))

const SAVED_MS = 300

export type FileTabs = ReturnType<typeof createFileTabs>

/** Shows a row of tabs below the bar, from the second file on. On phones, a menu takes its place. */
export function createFileTabs({ form, codeEditor, language, maxContentBytes, readText }: FileForm) {
  const bar = requireElement('.bar', form)
  const titleInput = requireElement<HTMLInputElement>('#title', form)
  const isStored = form.id === 'edit'
  let files: OpenFile[] = []
  let active: OpenFile | null = null

  const isOpen = () => files.length > 1
  const read = (file: OpenFile): string => (file === active ? codeEditor.text() : readKept(file.kept))
  const getChoice = (file: OpenFile): string => (file === active ? language.choice() : file.choice)
  const toTextFile = (file: OpenFile): TextFile => {
    const { name } = file
    const choice = getChoice(file)
    const says = choice === AUTO || choice === findLanguageOfFile(name) || !isFileLanguage(choice)
    return { name, content: read(file), ...(!says && { language: choice }) }
  }
  const text = () => (isOpen() ? formatArchive(files.map(toTextFile)) : null)
  const isTaken = (name: string) => files.some((file) => file.name === name)
  const isChanged = (file: OpenFile) => isStored && file.saved !== read(file)

  const tabs = createElement('div', { className: 'file-tabs', role: 'tablist', ariaLabel: 'Files' })
  const row = createElement('div', { className: 'file-row' }, tabs)

  const getTab = (file: OpenFile | null) => tabs.children[file ? files.indexOf(file) : -1] as HTMLElement
  const createTab = (file: OpenFile) => {
    const tab = createElement('button', {
      type: 'button',
      className: 'file-tab',
      role: 'tab',
      title: file.name,
      ariaSelected: String(file === active),
      tabIndex: file === active ? 0 : -1,
      draggable: true,
    })
    const close = createElement('span', { className: 'file-close', textContent: '×', ariaHidden: 'true' })
    const dot = createElement('span', { className: 'file-dot', hidden: !isChanged(file) }, '•')
    dot.append(createElement('span', { className: 'visually-hidden', textContent: ' unsaved' }))
    tab.append(createElement('span', { className: 'file-name', textContent: file.name }), dot, close)
    return tab
  }
  const menu = createFileMenu<OpenFile>(
    { form, row, titleInput },
    {
      show: (file) => {
        show(file)
        codeEditor.focus()
      },
      rename: (file) => rename(file),
      remove: (file) => remove(file),
      move: (file, to) => move(file, to),
      add: () => void addNew(),
      paste: (pasted) => add({ name: `file-${files.length + 1}`, content: pasted }),
    },
  )

  const render = () => {
    const hadFocus = tabs.contains(document.activeElement)
    tabs.replaceChildren(...files.map(createTab))
    form.classList.toggle('has-files', isOpen())
    if (isOpen()) bar.after(row)
    else row.remove()
    menu.update(files, active)
    getTab(active)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
    if (hadFocus) getTab(active)?.focus()
  }

  const keepActive = () => {
    if (!active) return
    active.choice = language.choice()
    active.kept = codeEditor.keep()
  }
  const show = (file: OpenFile) => {
    if (file === active) return
    keepActive()
    active = file
    codeEditor.show(file.kept)
    language.showFile(() => file.name, file.choice)
    render()
  }
  /** Drafts and settings listen to the form. */
  const report = () => form.dispatchEvent(new Event('input', { bubbles: true }))

  /** Makes the first file of the text that is there. */
  const startWith = (name: string, saved: string | null) => {
    const choice = language.choice() === TXTAR ? AUTO : language.choice()
    active = { name, choice, kept: codeEditor.keep(), saved }
    files = [active]
    language.showFile(() => name, choice)
  }
  /** The text that is there becomes the first file, unless it's empty. */
  const begin = async () => {
    if (isOpen() || active) return
    const title = titleInput.value.trim()
    if (codeEditor.isEmpty() && title === '') return
    const named = isFileName(title)
    const found = named ? PLAIN_TEXT : await language.current().catch(() => PLAIN_TEXT)
    // A second click on the button may have begun meanwhile.
    if (isOpen() || active) return
    const name = named ? title : `file-1${found === PLAIN_TEXT ? '' : `.${getFileExtension(found)}`}`
    if (named) titleInput.value = ''
    startWith(name, null)
  }
  const toOpenFile = ({ name, content, language: choice = AUTO }: TextFile): OpenFile => ({
    name: findFreeName(name, isTaken),
    choice,
    kept: keepText(content),
    saved: null,
  })
  /** Ends the tabs: one file is an ordinary document again. */
  const endWith = (file: OpenFile | undefined) => {
    if (file) {
      show(file)
      if (titleInput.value === '') titleInput.value = file.name
    }
    const choice = language.choice()
    active = null
    files = []
    language.showFile(null, choice)
    render()
    report()
  }
  const add = async (file: TextFile) => {
    if (refusesChange(form)) return null
    await begin()
    if (files.length === MAX_FILES) {
      announceInForm(`A document has at most ${MAX_FILES} files.`)
      return null
    }
    // The empty text that was there is the first file.
    if (!active) {
      active = { ...toOpenFile({ name: 'file-1', content: '' }), kept: codeEditor.keep() }
      files = [active]
    }
    const added = toOpenFile(file)
    files.push(added)
    show(added)
    report()
    return added
  }
  async function addNew(): Promise<void> {
    const added = await add({ name: `file-${Math.max(2, files.length + 1)}`, content: '' })
    if (added) rename(added)
  }

  const strip = requireElement('[data-part="strip"]', form)
  const note = (id: string, ...children: (Node | string)[]) => {
    document.getElementById(id)?.remove()
    const element = createElement('div', { id, className: 'strip row apart quiet-text', role: 'status' })
    strip.prepend(element)
    element.append(...children)
    return element
  }
  const remove = (file: OpenFile) => {
    keepActive()
    const at = files.indexOf(file)
    const wasOpen = [...files]
    files = files.filter((other) => other !== file)
    const next = files[Math.min(at, files.length - 1)]
    if (file === active && next) {
      active = null
      show(next)
    }
    const title = titleInput.value
    if (files.length === 1) endWith(files[0])
    render()
    report()
    const undo = createButton(
      'Undo',
      () => {
        banner.remove()
        // What was written since stays.
        if (files.length === 0) {
          const [left] = wasOpen.filter((other) => other !== file)
          files = left ? [left] : []
          active = left ?? null
          titleInput.value = title
        }
        // Another file may have got its name meanwhile.
        file.name = findFreeName(file.name, isTaken)
        files.splice(Math.min(at, files.length), 0, file)
        show(file)
        report()
        getTab(file)?.focus()
      },
      'quiet small',
    )
    const banner = note(
      'file-removed',
      createElement('span', { textContent: `Removed “${file.name}”.` }),
      undo,
    )
    if (isOpen()) getTab(active)?.focus()
    else codeEditor.focus()
  }
  const move = (file: OpenFile, to: number) => {
    if (to < 0 || to >= files.length) return
    files.splice(files.indexOf(file), 1)
    files.splice(to, 0, file)
    render()
    report()
  }

  /** Shows a field for the name in place of its tab. */
  const rename = (file: OpenFile) => {
    const tab = getTab(file)
    if (!tab || tabs.querySelector('input')) return
    const input = createElement('input', {
      className: 'file-rename',
      value: file.name,
      ariaLabel: 'File name',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: false,
    })
    let done = false
    const end = (goOn: () => void) => {
      if (done) return
      done = true
      document.getElementById('file-name-problem')?.remove()
      tabs.role = 'tablist'
      render()
      goOn()
    }
    const findProblem = (): string | null => {
      const name = input.value.trim()
      if (files.some((other) => other !== file && other.name === name)) return NAME_TAKEN
      return findNameProblem(name)
    }
    const commit = (goOn: () => void) => {
      const problem = findProblem()
      if (problem === null) {
        file.name = input.value.trim()
        if (file === active) language.showFile(() => file.name, language.choice())
        report()
        return end(goOn)
      }
      input.ariaInvalid = 'true'
      input.setAttribute('aria-describedby', 'file-name-problem')
      document.getElementById('file-name-problem')?.remove()
      const message = createElement('p', { id: 'file-name-problem', className: 'error', role: 'alert' })
      row.append(message)
      message.textContent = `${problem}.`
    }
    input.addEventListener('keydown', (event) => {
      if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') end(() => getTab(file)?.focus())
      else commit(() => codeEditor.focus())
    })
    input.addEventListener('blur', () => {
      // Some browsers send it, too, when the field is taken away.
      if (done) return
      if (findProblem() === null) commit(() => {})
      else end(() => {})
    })
    // Tab lists have nothing but tabs, and tabs are in tab lists only.
    tabs.role = 'group'
    for (const other of tabs.children)
      for (const name of ['role', 'aria-selected']) other.removeAttribute(name)
    tab.replaceWith(input)
    input.focus()
    const dot = file.name.lastIndexOf('.')
    input.setSelectionRange(file.name.lastIndexOf('/') + 1, dot > 0 ? dot : file.name.length)
  }

  const findFile = ({ target }: Event): OpenFile | undefined =>
    files[[...tabs.children].findIndex((tab) => tab.contains(target as Node))]
  tabs.addEventListener('click', (event) => {
    const file = findFile(event)
    if (!file || tabs.querySelector('input')) return
    if ((event.target as Element).closest('.file-close')) remove(file)
    else {
      show(file)
      // Enter and Space click, too, and keep the focus where it is.
      if (event.detail > 0 && event.detail < 2) codeEditor.focus()
    }
  })
  tabs.addEventListener('dblclick', (event) => {
    const file = findFile(event)
    if (file && !(event.target as Element).closest('.file-close')) rename(file)
  })
  tabs.addEventListener('keydown', (event) => {
    const file = findFile(event)
    if (!file || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return
    const at = files.indexOf(file)
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: files.length - 1,
    }
    const to = places[event.key]
    if (to !== undefined && event.altKey !== event.shiftKey) return
    if (to !== undefined && event.altKey) move(file, to)
    else if (to !== undefined) {
      const next = files[(to + files.length) % files.length]
      if (next) show(next)
    } else if (event.key === 'F2') rename(file)
    else if (event.key === 'Delete') remove(file)
    else return
    event.preventDefault()
  })
  // Also while one writes: a click on a tab moves the focus into the text.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'F2' || event.defaultPrevented || !active) return
    event.preventDefault()
    rename(active)
  })
  let dragged: OpenFile | undefined
  tabs.addEventListener('dragstart', (event) => {
    dragged = findFile(event)
    // Firefox drags nothing without data. No text, which the code editor would take.
    event.dataTransfer?.setData('application/x-file', '')
  })
  tabs.addEventListener('dragover', (event) => {
    if (dragged && findFile(event)) event.preventDefault()
  })
  tabs.addEventListener('drop', (event) => {
    const onto = findFile(event)
    if (!dragged || !onto) return
    event.preventDefault()
    move(dragged, files.indexOf(onto))
    dragged = undefined
  })

  let timer: ReturnType<typeof setTimeout> | undefined
  codeEditor.onChange(() => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const dot = active && getTab(active)?.querySelector<HTMLElement>('.file-dot')
      if (dot && active) dot.hidden = !isChanged(active)
    }, SAVED_MS)
  })
  form.addEventListener('formdata', ({ formData }) => {
    const archive = text()
    if (archive === null) return
    formData.set('content', archive)
    formData.set('language', TXTAR)
  })

  /** A language that somebody else chose meanwhile counts unless another was chosen here. */
  const takeLanguage = (file: OpenFile, before: TextFile | null, after: TextFile | null) => {
    if (!after || after.language === before?.language) return
    if (toTextFile(file).language !== before?.language) return
    file.choice = after.language ?? AUTO
    if (file === active) language.showFile(() => file.name, file.choice)
  }
  const openAll = (opened: readonly TextFile[], saved: ReadonlyMap<string, string>) => {
    active = null
    files = []
    for (const file of opened) files.push(toOpenFile(file))
    for (const file of files) file.saved = saved.get(file.name) ?? null
    const [first] = files
    if (first) show(first)
  }

  const toFormText = (file: OpenFile): FormText => ({
    key: file,
    shown: () => (file === active ? codeEditor.start() : file.kept.box.shown()),
    describe: (line) => `${file.name}, line ${line}`,
    goTo: ({ from, to }) => {
      show(file)
      codeEditor.select(from, to)
    },
    change: (replacements) => {
      const before = active
      show(file)
      codeEditor.change(replacements)
      if (before) show(before)
    },
    canUndo: true,
  })
  const fileNames: FormText = {
    key: tabs,
    shown: () => files.map(({ name }) => name).join('\n'),
    describe: (line) => `the name of file ${line}`,
    goTo: ({ line }) => {
      const file = files[line - 1]
      if (!file) return
      show(file)
      rename(file)
    },
    change: (replacements) => {
      const names = applyReplacements(fileNames.shown(), replacements).split('\n')
      for (const [index, file] of files.entries()) {
        const name = names[index]
        if (name !== undefined && name !== file.name) file.name = findFreeName(name, isTaken)
      }
      render()
      report()
    },
    canUndo: false,
  }

  return {
    isOpen,
    text,
    listTexts: (): FormText[] => [...files.map(toFormText), fileNames],
    isEmpty: () => (isOpen() ? files.every((file) => read(file) === '') : null),
    addNew,
    addFiles: async (chosen: readonly (File | FileSystemEntry)[]) => {
      const { readChosenFiles } = await import('./chosen-files.ts')
      const { files: added, leftOut } = await readChosenFiles(chosen, { maxContentBytes, readText })
      if (refusesChange(form)) return
      await begin()
      const taken = added.slice(0, MAX_FILES - files.length)
      for (const file of added.slice(taken.length))
        leftOut.push(`${file.name} (more than ${MAX_FILES} files)`)
      const opened = taken.map((file) => {
        const open = toOpenFile(file)
        files.push(open)
        return open
      })
      if (leftOut.length > 0) {
        const [shown, rest] = [leftOut.slice(0, 5).join(', '), leftOut.length - 5]
        note('files-left-out', `Left out: ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`)
      }
      const [first] = opened
      if (!first) return
      show(first)
      if (!isOpen()) return endWith(first)
      report()
      announceInForm(opened.length === 1 ? `Added “${first.name}”.` : `Added ${opened.length} files.`)
      codeEditor.focus()
    },
    /**
     * Opens the files in the text that is there. Returns null if it has no two.
     *
     * @param stored the text that the document has. It's returned as its files are written, which may differ from it.
     */
    open: (archive: Parameters<typeof findFiles>[0], stored = ''): string | null => {
      const found = findFiles(archive, codeEditor.text())
      if (isOpen() || !found || found.length < 2) return null
      const before = parseArchive(stored) ?? []
      openAll(found, new Map(before.map(({ name, content }) => [name, content])))
      return formatArchive(before)
    },
    /** Leaves the file that is in sight. */
    close: () => {
      if (!isOpen()) return
      active = null
      files = []
      language.showFile(null, AUTO)
      render()
    },
    /**
     * Merges file by file. A version that is one text is one file. The notes say what came of removed files. Returns null if
     * neither version has files.
     */
    merge: (
      texts: { base: SavedText; theirs: SavedText },
      mergeOne: (texts: { base: string; theirs: string }) => { message: string },
    ): { messages: string[]; notes: string[] } | null => {
      const title = titleInput.value.trim()
      const name = isFileName(title) ? title : 'file-1'
      if (!isOpen()) {
        const [before, after] = [parseSaved(texts.base), parseSaved(texts.theirs)]
        if (!before && !after) return null
        // An archive of one file is edited as its source.
        const own = before && parseArchive(codeEditor.text())
        if (own) openAll(own, new Map(before.map(({ name, content }) => [name, content])))
        // One text was one of the files, or becomes one.
        const content = before || texts.base.text === '' ? codeEditor.text() : texts.base.text
        const only = toOnlyFile({ name, content }, before ?? after ?? [])
        const saved = before ? before.find((file) => file.name === only.name)?.content : texts.base.text
        // It got its title from the file.
        if (!own && before && only.name === title) titleInput.value = ''
        if (!own) startWith(only.name, saved ?? null)
      }
      const mine = files.map((file) => ({ ...toTextFile(file), saved: file.saved, opened: file }))
      const merged = mergeFiles({ ...texts, name }, mine).map(({ file, ...rest }) => {
        const isMine = 'opened' in file
        return { ...rest, isMine, file: isMine ? file.opened : toOpenFile(file) }
      })
      files = merged.map(({ file }) => file)
      const messages: string[] = []
      const notes: string[] = []
      let contested: OpenFile | null = null
      for (const { file, name, base, theirs, isMine } of merged) {
        if (isMine) takeLanguage(file, base, theirs)
        file.name = name
        if (file === active) language.showFile(() => file.name, language.choice())
        file.saved = theirs?.content ?? null
        if (base && !isMine) {
          notes.push(`“${name}” was changed by them and removed by you: it’s back.`)
          const banner = document.getElementById('file-removed')
          if (banner?.textContent.includes(`“${base.name}”`)) banner.remove()
        }
        if (base && !theirs) notes.push(`“${name}” was removed by them and changed by you: it stays.`)
        const text = read(file)
        if (!theirs || theirs.content === text) continue
        show(file)
        const { message } = mergeOne({ base: base?.content ?? '', theirs: theirs.content })
        if (text === base?.content) continue
        messages.push(message)
        contested ??= file
      }
      if (active && !files.includes(active)) active = null
      const shown = contested ?? active ?? files[0]
      if (shown && shown !== active) show(shown)
      if (files.length === 1) endWith(files[0])
      render()
      return { messages, notes }
    },
  }
}

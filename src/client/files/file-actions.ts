import { downloadZip as zip } from 'client-zip'
import { formatAsMarkdown } from '../../shared/files.ts'
import { findLanguageOfFile } from '../../shared/languages.ts'
import type { TextFile } from '../../shared/txtar.ts'
import { createElement } from '../shared/elements.ts'

// What copies and saves files, loaded when somebody does so.

export const formatFiles = (files: readonly TextFile[]): string =>
  formatAsMarkdown(
    files.map((file) => ({ ...file, language: file.language ?? findLanguageOfFile(file.name) ?? undefined })),
  )

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob)
  createElement('a', { href, download: name }).click()
  // The browser has started to read the blob by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

export const downloadFile = (name: string, content: string): void =>
  save(new Blob([content], { type: 'text/plain;charset=utf-8' }), name.slice(name.lastIndexOf('/') + 1))

export async function downloadZip(files: readonly TextFile[], title: string): Promise<void> {
  const lastModified = new Date()
  const answer = zip(files.map(({ name, content }) => ({ name, input: content, lastModified })))
  save(await answer.blob(), `${title.replace(/\.\w+$/, '') || 'files'}.zip`)
}

import { findLanguage } from '../documents/language.ts'

/** What files of a language end with, as GitHub tells languages by; of those not named here, with their own name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  plaintext: 'txt',
  bash: 'sh',
  clojure: 'clj',
  crystal: 'cr',
  csharp: 'cs',
  elixir: 'ex',
  erlang: 'erl',
  fsharp: 'fs',
  haskell: 'hs',
  javascript: 'js',
  julia: 'jl',
  kotlin: 'kt',
  latex: 'tex',
  markdown: 'md',
  nginx: 'nginxconf',
  objectivec: 'm',
  ocaml: 'ml',
  pascal: 'pas',
  perl: 'pl',
  powershell: 'ps1',
  protobuf: 'proto',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  typescript: 'ts',
  yaml: 'yml',
}

/** The name of a document's file in its gist. A language that the site does not know is plain text. */
export function fileNameOf(documentId: string, language: string): string {
  const known = findLanguage(language)?.name ?? 'plaintext'
  return `${documentId}.${EXTENSIONS[known] ?? known}`
}

/** Whether a file of a gist is one that was made for the document, in whatever language. */
export const isFileOf = (documentId: string, fileName: string): boolean =>
  fileName.startsWith(`${documentId}.`)

interface Language {
  /** As stored and as in the API, in lower case. */
  readonly name: string
  readonly label: string
  readonly aliases: readonly string[]
}

const language = (name: string, label: string, ...aliases: string[]): Language => ({ name, label, aliases })

/** The languages that the site highlights. Any other name is stored too, and shown as plain text. */
export const LANGUAGES: readonly Language[] = [
  language('plaintext', 'Plain text', 'text', 'txt', 'plain', 'none'),
  language('bash', 'Shell', 'sh', 'shell', 'zsh', 'shellscript'),
  language('c', 'C', 'h'),
  language('clojure', 'Clojure', 'clj', 'edn'),
  language('cpp', 'C++', 'c++', 'cc', 'cxx', 'hpp'),
  language('crystal', 'Crystal', 'cr'),
  language('csharp', 'C#', 'c#', 'cs'),
  language('css', 'CSS'),
  language('dart', 'Dart'),
  language('diff', 'Diff', 'patch'),
  language('dockerfile', 'Dockerfile', 'docker'),
  language('elixir', 'Elixir', 'ex', 'exs'),
  language('elm', 'Elm'),
  language('erlang', 'Erlang', 'erl'),
  language('fsharp', 'F#', 'f#', 'fs'),
  language('go', 'Go', 'golang'),
  language('graphql', 'GraphQL', 'gql'),
  language('groovy', 'Groovy', 'gradle'),
  language('haskell', 'Haskell', 'hs'),
  language('html', 'HTML', 'htm', 'xhtml'),
  language('ini', 'INI', 'cfg', 'properties', 'conf'),
  language('java', 'Java'),
  language('javascript', 'JavaScript', 'js', 'mjs', 'cjs', 'node'),
  language('json', 'JSON', 'json5', 'jsonc'),
  language('jsx', 'JSX'),
  language('julia', 'Julia', 'jl'),
  language('kotlin', 'Kotlin', 'kt', 'kts'),
  language('latex', 'LaTeX', 'tex'),
  language('less', 'Less'),
  language('lua', 'Lua'),
  language('markdown', 'Markdown', 'md', 'mkd'),
  language('nginx', 'nginx'),
  language('objectivec', 'Objective-C', 'objc', 'objective-c'),
  language('ocaml', 'OCaml', 'ml'),
  language('pascal', 'Pascal', 'delphi'),
  language('perl', 'Perl', 'pl'),
  language('php', 'PHP'),
  language('powershell', 'PowerShell', 'ps', 'ps1'),
  language('protobuf', 'Protocol Buffers', 'proto'),
  language('python', 'Python', 'py', 'py3'),
  language('r', 'R'),
  language('ruby', 'Ruby', 'rb'),
  language('rust', 'Rust', 'rs'),
  language('sass', 'Sass'),
  language('scala', 'Scala', 'sc'),
  language('scss', 'SCSS'),
  language('sql', 'SQL', 'mysql', 'pgsql', 'sqlite'),
  language('svelte', 'Svelte'),
  language('swift', 'Swift'),
  language('toml', 'TOML'),
  language('tsx', 'TSX'),
  language('typescript', 'TypeScript', 'ts', 'mts', 'cts'),
  language('vue', 'Vue'),
  language('xml', 'XML', 'svg', 'xsd', 'rss'),
  language('yaml', 'YAML', 'yml'),
]

export const PLAIN_TEXT = 'plaintext'

const byName = new Map(
  LANGUAGES.flatMap((known) => [known.name, ...known.aliases].map((name) => [name, known])),
)

/** Returns the language with this name or alias, in any case; null if it's unknown. */
export const findLanguage = (name: string): Language | null => byName.get(name.toLowerCase()) ?? null

/** File extensions by which GitHub recognizes languages. For languages not listed here it's their name. */
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

/** Returns the file extension of a language. Unknown languages are plain text. */
export function getFileExtension(name: string): string {
  const known = findLanguage(name)?.name ?? PLAIN_TEXT
  return EXTENSIONS[known] ?? known
}

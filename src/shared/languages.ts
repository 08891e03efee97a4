import { PLAIN_TEXT } from './display.ts'

type Language = ReturnType<typeof language>

const words = (list: string): string[] => (list === '' ? [] : list.split(' '))

/** Gists use the first extension, because GitHub recognizes the language by it. */
function language(name: string, label: string, extensions = name, otherNames = '') {
  const extensionList = words(extensions)
  const aliases = [...extensionList, ...words(otherNames)].filter((alias) => alias !== name)
  return { name, label, aliases, extensions: extensionList }
}

/** The languages that the site knows. Any other name is stored too, and shown as plain text. */
export const LANGUAGES: readonly Language[] = [
  language('plaintext', 'Plain text', 'txt text', 'plain none'),
  language('asm', 'Assembly', 'asm s nasm', 'assembly gas'),
  language('bash', 'Shell', 'sh bash zsh ksh', 'shell shellscript'),
  language('batch', 'Batch', 'bat cmd', 'dos'),
  language('c', 'C', 'c h'),
  language('clojure', 'Clojure', 'clj edn cljs cljc'),
  language('cmake', 'CMake'),
  language('coffeescript', 'CoffeeScript', 'coffee'),
  language('commonlisp', 'Common Lisp', 'lisp el', 'common-lisp elisp'),
  language('cpp', 'C++', 'cpp cc cxx hpp hh hxx ino', 'c++'),
  language('crystal', 'Crystal', 'cr'),
  language('csharp', 'C#', 'cs csx', 'c#'),
  language('css', 'CSS'),
  language('csv', 'CSV'),
  language('d', 'D'),
  language('dart', 'Dart'),
  language('diff', 'Diff', 'diff patch'),
  language('dockerfile', 'Dockerfile', 'dockerfile', 'docker containerfile'),
  language('dotenv', '.env', 'env'),
  language('elixir', 'Elixir', 'ex exs'),
  language('elm', 'Elm'),
  language('erlang', 'Erlang', 'erl hrl'),
  language('fish', 'fish', 'fish'),
  language('fortran', 'Fortran', 'f90 f95 f03 f08 for f77'),
  language('fsharp', 'F#', 'fs fsx fsi', 'f#'),
  language('go', 'Go', 'go', 'golang'),
  language('graphql', 'GraphQL', 'graphql gql'),
  language('groovy', 'Groovy', 'groovy gradle'),
  language('haskell', 'Haskell', 'hs'),
  language('hcl', 'HCL (Terraform)', 'tf hcl tfvars', 'terraform'),
  language('html', 'HTML', 'html htm xhtml hbs'),
  language('http', 'HTTP'),
  language('ini', 'INI', 'ini cfg properties conf', 'editorconfig'),
  language('java', 'Java'),
  language('javascript', 'JavaScript', 'js mjs cjs', 'node'),
  language('json', 'JSON', 'json json5 jsonc webmanifest map geojson'),
  language('jsonl', 'JSON Lines', 'jsonl ndjson', 'jsonlines'),
  language('jsx', 'JSX'),
  language('julia', 'Julia', 'jl'),
  language('kotlin', 'Kotlin', 'kt kts'),
  language('latex', 'LaTeX', 'tex ltx sty'),
  language('less', 'Less'),
  language('log', 'Log'),
  language('lua', 'Lua'),
  language('makefile', 'Makefile', 'mk mak', 'make'),
  language('markdown', 'Markdown', 'md markdown mkd mdx'),
  language('matlab', 'MATLAB', 'matlab', 'octave'),
  language('mermaid', 'Mermaid', 'mmd mermaid'),
  language('nginx', 'nginx', 'nginxconf'),
  language('nix', 'Nix'),
  language('objectivec', 'Objective-C', 'm mm', 'objc objective-c'),
  language('ocaml', 'OCaml', 'ml mli'),
  language('pascal', 'Pascal', 'pas dpr', 'delphi'),
  language('perl', 'Perl', 'pl pm'),
  language('php', 'PHP', 'php phtml'),
  language('powershell', 'PowerShell', 'ps1 psm1 psd1', 'ps pwsh'),
  language('protobuf', 'Protocol Buffers', 'proto'),
  language('python', 'Python', 'py pyw pyi bzl', 'py3'),
  language('r', 'R'),
  language('ruby', 'Ruby', 'rb rake gemspec'),
  language('rust', 'Rust', 'rs'),
  language('sass', 'Sass'),
  language('scala', 'Scala', 'scala sc sbt'),
  language('scheme', 'Scheme', 'scm ss rkt', 'racket'),
  language('scss', 'SCSS'),
  language('sql', 'SQL', 'sql', 'mysql pgsql sqlite'),
  language('svelte', 'Svelte'),
  language('swift', 'Swift'),
  language('tcl', 'Tcl'),
  language('toml', 'TOML'),
  language('tsv', 'TSV', 'tsv tab'),
  language('tsx', 'TSX'),
  language('txtar', 'Text archive', 'txtar'),
  language('typescript', 'TypeScript', 'ts mts cts'),
  language('vbnet', 'Visual Basic', 'vb bas vbs', 'vb.net visualbasic'),
  language('verilog', 'Verilog', 'v sv svh', 'systemverilog'),
  language('vhdl', 'VHDL', 'vhdl vhd'),
  language('vue', 'Vue'),
  language('wasm', 'WebAssembly', 'wat wast', 'webassembly'),
  language('xml', 'XML', 'xml svg xsd xsl rss plist csproj'),
  language('yaml', 'YAML', 'yml yaml'),
  language('zig', 'Zig'),
]

export { PLAIN_TEXT }

export const AUTO = 'auto'

/** The language of a text that holds several files. */
export const TXTAR = 'txtar'

const byName = new Map(
  LANGUAGES.flatMap((known) => [known.name, ...known.aliases].map((name) => [name, known])),
)

/** Finds a language by one of its names, ignoring case. */
export const findLanguage = (name: string): Language | null => byName.get(name.toLowerCase()) ?? null

/** An unknown language has the extension of plain text. */
export function getFileExtension(name: string): string {
  const known = findLanguage(name) ?? findLanguage(PLAIN_TEXT)
  return known?.extensions[0] ?? 'txt'
}

const byExtension = new Map(
  LANGUAGES.flatMap(({ name, extensions }) => extensions.map((extension) => [extension, name])),
)

/** Files whose whole name, in lower case, says what they are. */
const NAMES: readonly (readonly [language: string, names: string])[] = [
  ['bash', '.bashrc .bash_profile .bash_aliases .bash_history .profile .zshrc .zshenv .zprofile pkgbuild'],
  ['cmake', 'cmakelists.txt'],
  ['dockerfile', 'dockerfile containerfile'],
  ['dotenv', '.env .envrc'],
  ['go', 'go.mod'],
  ['groovy', 'jenkinsfile'],
  ['ini', '.editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .ini .conf'],
  ['json', '.babelrc .eslintrc .prettierrc composer.lock pipfile.lock flake.lock'],
  ['makefile', 'makefile gnumakefile'],
  ['nginx', 'nginx.conf'],
  ['plaintext', '.gitignore .dockerignore .npmignore .gitattributes robots.txt requirements.txt'],
  ['python', 'sconstruct sconscript build.bazel workspace snakefile'],
  ['ruby', 'gemfile rakefile vagrantfile podfile fastfile brewfile guardfile capfile'],
  ['toml', 'cargo.lock poetry.lock pipfile'],
  ['yaml', '.clang-format .clang-tidy pubspec.lock'],
]

const byFileName = new Map(NAMES.flatMap(([name, list]) => list.split(' ').map((file) => [file, name])))

/** Names that carry more than the name of a known file: `Dockerfile.dev`, `.env.local`, `app.log.1`. */
const NAME_PATTERNS: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['dockerfile', /^(dockerfile|containerfile)[.-]/],
  ['dotenv', /^\.env\.|\.env$/],
  ['makefile', /^(gnu)?makefile\.(?!pl$)/],
  ['nginx', /nginx[^/]*\.conf$/],
  ['log', /\.log(\.\d+)?$/],
  ['log', /^(syslog|dmesg)(\.\d+)?$/],
]

/** @example findLanguageOfFile('src/main.rs') // 'rust' */
export function findLanguageOfFile(fileName: string): string | null {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
  const lower = name.toLowerCase()
  const exact = byFileName.get(lower)
  if (exact) return exact
  for (const [language, pattern] of NAME_PATTERNS) if (pattern.test(lower)) return language
  const dot = lower.lastIndexOf('.')
  return dot === -1 ? null : (byExtension.get(lower.slice(dot + 1)) ?? null)
}

/** A title of several words names no file. */
export const findLanguageOfTitle = (title: string): string | null =>
  /\s/.test(title) ? null : findLanguageOfFile(title)

/** Reads the `py` in `/<id>.py`, which may also be a language's name. */
export const findLanguageOfExtension = (extension: string): string | null =>
  byExtension.get(extension.toLowerCase()) ?? findLanguage(extension)?.name ?? null

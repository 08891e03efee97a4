import { findLanguage, LANGUAGES } from './languages.ts'

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

/**
 * Returns the name of a file's language by its name ("Dockerfile") or extension; null if it's unknown.
 *
 * @param fileName a name or a path.
 * @example findLanguageOfFile('src/main.rs') // 'rust'
 */
export function findLanguageOfFile(fileName: string): string | null {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
  const lower = name.toLowerCase()
  const exact = byFileName.get(lower)
  if (exact) return exact
  for (const [language, pattern] of NAME_PATTERNS) if (pattern.test(lower)) return language
  const dot = lower.lastIndexOf('.')
  return dot === -1 ? null : (byExtension.get(lower.slice(dot + 1)) ?? null)
}

/** Returns the name of the language of a file extension or language name, such as the `py` in `/<id>.py`; null if it's unknown. */
export const findLanguageOfExtension = (extension: string): string | null =>
  byExtension.get(extension.toLowerCase()) ?? findLanguage(extension)?.name ?? null

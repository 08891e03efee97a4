import { AUTO, LANGUAGES } from '../../../src/shared/languages.ts'
import { CliError } from '../exit-codes.ts'
import {
  COMMANDS,
  COMMON_OPTIONS,
  type CommandName,
  getCommand,
  getOption,
  NAMED_COMMANDS,
  type OptionName,
  SHELLS,
} from '../options.ts'
import type { CommandContext } from '../session.ts'

const DURATIONS = ['1h', '12h', '1d', '2d', '1w', '4w', 'never']

const listOptions = (command: CommandName): readonly OptionName[] => [
  ...getCommand(command).options,
  ...COMMON_OPTIONS,
]

const listLanguages = (): readonly string[] => [AUTO, ...LANGUAGES.map(({ name }) => name)]

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const valueOptions = (completes: 'languages' | 'durations' | 'files'): string =>
  (Object.keys(COMMANDS) as CommandName[])
    .flatMap(listOptions)
    .filter((name, index, all) => getOption(name).completes === completes && all.indexOf(name) === index)
    .flatMap((name) => {
      const { short } = getOption(name)
      return [`--${name}`, ...(short ? [`-${short}`] : [])]
    })
    .join('|')

function formatBash(): string {
  const cases = NAMED_COMMANDS.map(
    (name) =>
      `    ${name}) options=${quote(
        listOptions(name)
          .map((option) => `--${option}`)
          .join(' '),
      )} ;;`,
  )
  return `# Completes regent in bash. Put this into ~/.bashrc: source <(regent completion bash)
_regent() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word options
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      ${NAMED_COMMANDS.join('|')}) command=$word; break ;;
    esac
  done
  COMPREPLY=()
  case $previous in
    ${valueOptions('languages')}) COMPREPLY=($(compgen -W ${quote(listLanguages().join(' '))} -- "$current")); return ;;
    ${valueOptions('durations')}) COMPREPLY=($(compgen -W ${quote(DURATIONS.join(' '))} -- "$current")); return ;;
    ${valueOptions('files')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case $command in
${cases.join('\n')}
    *) options=${quote(
      listOptions('create')
        .map((option) => `--${option}`)
        .join(' '),
    )} ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -z $command ]]; then
    COMPREPLY=($(compgen -W ${quote(NAMED_COMMANDS.join(' '))} -- "$current") $(compgen -f -- "$current"))
  elif [[ $command == completion ]]; then
    COMPREPLY=($(compgen -W ${quote(SHELLS.join(' '))} -- "$current"))
  elif [[ $command == help ]]; then
    COMPREPLY=($(compgen -W ${quote(NAMED_COMMANDS.join(' '))} -- "$current"))
  fi
}
complete -o filenames -F _regent regent
`
}

/** Escapes the description of a zsh option, which ends at a bracket. */
const escapeZsh = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&')

function formatZshOption(name: OptionName): string {
  const { short, value, help, completes } = getOption(name)
  const actions = {
    languages: `(${listLanguages().join(' ')})`,
    durations: `(${DURATIONS.join(' ')})`,
    files: '_files',
  }
  const action = value ? `:${value}:${completes ? actions[completes] : ''}` : ''
  const description = `[${escapeZsh(help)}]${action}`
  return short
    ? `      {-${short},--${name}}${quote(description)} \\`
    : `      ${quote(`--${name}${description}`)} \\`
}

function formatZsh(): string {
  const operands = {
    files: "'*:file:_files'",
    shells: `':shell:(${SHELLS.join(' ')})'`,
    none: "'*::operand:'",
  }
  const cases = NAMED_COMMANDS.map(
    (name) => `    ${name})
      _arguments -s \\
${listOptions(name).map(formatZshOption).join('\n')}
      ${name === 'help' ? `':command:(${NAMED_COMMANDS.join(' ')})'` : operands[getCommand(name).completes]} ;;`,
  )
  const commands = NAMED_COMMANDS.map((name) => `    ${quote(`${name}:${getCommand(name).summary}`)}`)
  return `#compdef regent
# Completes regent in zsh. Put this into ~/.zshrc, after compinit: source <(regent completion zsh)
_regent_first() {
  local -a commands
  commands=(
${commands.join('\n')}
  )
  _describe command commands
  _files
}
_regent() {
  local command=$words[2]
  case $command in
${NAMED_COMMANDS.map((name) => `    ${name}) shift words; (( CURRENT-- )) ;;`).join('\n')}
    *) command='' ;;
  esac
  case $command in
${cases.join('\n')}
    *)
      _arguments -s \\
${listOptions('create').map(formatZshOption).join('\n')}
      '*:file:_regent_first' ;;
  esac
}
if [[ $funcstack[1] == _regent ]]; then _regent "$@"; else compdef _regent regent; fi
`
}

function formatFish(): string {
  const seen = `__fish_seen_subcommand_from ${NAMED_COMMANDS.join(' ')}`
  const commands = NAMED_COMMANDS.map(
    (name) => `complete -c regent -n 'not ${seen}' -a ${name} -d ${quote(getCommand(name).summary)}`,
  )
  const formatOption = (condition: string) => (name: OptionName) => {
    const { short, value, help, completes } = getOption(name)
    const values = {
      languages: ` -f -a ${quote(listLanguages().join(' '))}`,
      durations: ` -f -a ${quote(DURATIONS.join(' '))}`,
      files: ' -F',
    }
    const takes = value ? ` -r${completes ? values[completes] : ' -f'}` : ''
    return `complete -c regent -n '${condition}'${short ? ` -s ${short}` : ''} -l ${name}${takes} -d ${quote(help)}`
  }
  const options = [
    ...listOptions('create').map(formatOption(`not ${seen}`)),
    ...NAMED_COMMANDS.flatMap((name) =>
      listOptions(name).map(formatOption(`__fish_seen_subcommand_from ${name}`)),
    ),
  ]
  return `# Completes regent in fish. Save this as ~/.config/fish/completions/regent.fish
complete -c regent -n '${seen}' -f
${[...commands, ...options].join('\n')}
complete -c regent -n '__fish_seen_subcommand_from completion' -a '${SHELLS.join(' ')}'
complete -c regent -n '__fish_seen_subcommand_from help' -a '${NAMED_COMMANDS.join(' ')}'
`
}

const FORMATS: Readonly<Record<string, () => string>> = {
  bash: formatBash,
  zsh: formatZsh,
  fish: formatFish,
}

export async function completion({ operands, output }: CommandContext): Promise<void> {
  const format = FORMATS[operands[0] ?? '']
  if (!format) throw new CliError('usage', `There’s completion for ${SHELLS.join(', ')}`)
  await output.print(format())
}

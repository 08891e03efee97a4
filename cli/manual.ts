import { EXIT_CODES } from './src/exit-codes.ts'
import {
  COMMANDS,
  COMMON_OPTIONS,
  type CommandName,
  getCommand,
  getOption,
  NAMED_COMMANDS,
  OPTIONS,
  type OptionName,
} from './src/options.ts'

// What the manual says beyond `regent --help`. *x* is bold, and _x_ is italic.

const DESCRIPTION = `
*regent* shares text with a Regent server and prints the link of each new document on standard output, one per line.
Everything else goes to standard error.

Without a _file_, or with *-*, it reads standard input. A file that has the name of a command needs a path (*./get*) or
comes after *--*. UTF-16 with a byte order mark is converted to UTF-8. Other encodings are refused before anything is sent.
All files are read before the first one is sent.

Several files, or a folder, make one document. Their names start at the folder that has them all. Of a folder, only text is
shared: not what _.gitignore_ leaves out, _.git_, *node_modules*, binary files or symbolic links. Each of them is named on
standard error, with the reason.

A document has the name of the file as its title, and its language is detected. With an API key, it belongs to your account.
Without one, the program keeps the document token that the server returns, so that you can edit, delete and list the document
on this machine.`

const COMMAND_DETAILS: Partial<Record<CommandName, string>> = {
  get: `The text is printed byte for byte. With *--output*, writes it, or all files. An encrypted document is decrypted on this
machine: the server never sees the password. A document that burns after reading is deleted by this, unless you created it or
may edit it. A wrong password never deletes it.`,
  edit: `Saves the text when the editor ends. The editor gets each of several files. One that you delete leaves the document. An
encrypted document is encrypted again with its password. If somebody else saved first, or saving fails, the program keeps your
text in a file and says where. Secrets that the document has already, and those in an encrypted one, aren't looked for.`,
  update: `The link, the settings and the password stay. *regent update* _id/file_ replaces or adds one file of several.
*regent edit* does the same if something is piped into it.`,
  history: `The newest comes first. Each line has five fields separated by tabs: the number, the time, the size in bytes, who
saved it, and whether it's the current one.`,
  restore: `Makes its text and its language those of the document again. An editor of an encrypted document needs
its present password, which stays on this machine.`,
  ls: `On a terminal, it prints a table. Otherwise, each line has five fields separated by tabs: the id, the expiry, the size in
bytes, the link and the title.`,
  mcp: `It speaks the Model Context Protocol on standard input and output. An agent's program starts it; docs/agents.md says how to
set that up.`,
  login: `Checks the key first. If standard input isn't a terminal, reads the key from it.`,
  logout: `The key stays valid until you revoke it on your account page.`,
  completion: `It completes commands, options, languages and durations.`,
}

const OPTION_DETAILS: Partial<Record<OptionName, string>> = {
  encrypt: `The password comes after the # of the link. It is generated, unless *REGENT_PASSWORD*, *--ask-password* or
*--password-file* gives one.`,
  'ask-password': `It isn't shown.`,
  'password-file': `When sharing, this encrypts.`,
  expires: `A date (*2027-01-31*) lasts until its end. A date and time has an offset (*2027-01-31T12:00:00Z*). Without an
account, most servers refuse more than 7 days.`,
  title: `Encrypted documents can't have one.`,
  name: `It has 1 to 64 of a-z, 0-9, -, _ and the dot, and differs from the names of your other documents.`,
  redact: `Such as [key 1: AWS], before anything is sent, the same secret always by the same placeholder. *=all* also replaces
email, IP and MAC addresses, phone and card numbers, and user names in paths.`,
  'no-scan': `Without this, a line on standard error names the kinds that were found, and the text is sent.`,
  copy: `Uses the desktop's clipboard program, or the terminal (OSC 52).`,
  json: `When sharing, that is one object per document, with its link and all that the server returned except the text. It contains
the password and the document token if there are any.`,
  output: `Never writes outside of the folder. One text becomes a file in _PATH_ if that is a folder or ends with a slash.`,
  force: `Otherwise *--output* writes nothing if one of them does.`,
}

const EXITS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  success: 'Success.',
  failure: "Something unexpected, such as a file that can't be written or an editor that fails.",
  usage: 'Wrong usage: unknown options, missing operands, or no server chosen.',
  network: "The server can't be reached, or doesn't answer in time.",
  refused: 'The server refused the request, or the password is wrong.',
  notFound: 'There is no such document.',
  conflict: 'Somebody else changed the document.',
  rateLimited: 'Too many requests, even after waiting.',
  server: 'The server has a problem.',
  input: "The text can't be sent: it isn't text, is empty or too large, or can't be read.",
  secrets: 'The text has secrets, and *REGENT_SCAN* is *fail*. Nothing was sent.',
  interrupted: 'Interrupted with Ctrl+C.',
}

const ENVIRONMENT = {
  '*REGENT_URL*': 'The server to use. *--server* comes first, the saved one last.',
  '*REGENT_KEY*': 'An API key for that server, instead of a saved one. It is never sent to another server.',
  '*REGENT_PASSWORD*': 'The password for *--encrypt*, *get*, *edit* and *restore*.',
  '*REGENT_SCAN*': `*off* doesn't look for secrets, *warn* (the default) says on standard error what was found, and *fail*
ends with exit code 10 then, before anything is sent.`,
  '*VISUAL*, *EDITOR*': 'The editor. The default is *vi*.',
  '*NO_COLOR*': 'If set, nothing is coloured.',
}

const FILES = {
  '_~/.config/regent/config.json_': `The saved server and API keys. The folder is in *XDG_CONFIG_HOME* if that is set,
_~/Library/Application Support/regent_ on macOS, and _%APPDATA%\\regent_ on Windows.`,
  '_~/.local/state/regent/documents_': `The document tokens, in one file per document. The folder is in *XDG_STATE_HOME* if that is
set, _~/Library/Application Support/regent_ on macOS, and _%LOCALAPPDATA%\\regent_ on Windows.`,
  '_~/.local/state/regent/unsaved_':
    "Texts that *edit* couldn't save, and those that *get* read once and couldn't write.",
}

const EXAMPLES = `
git diff | regent --expires 2d --copy
regent --encrypt --burn secrets.env
regent get https://paste.example.org/7hBqKz4n > notes.md
regent src/ README.md
regent get 7hBqKz4n -o copy/
regent login https://paste.example.org
source <(regent completion bash)`

const escapeRoff = (text: string): string =>
  text
    .trim()
    .replaceAll('\\', '\\e')
    .replaceAll('…', '...')
    .replaceAll(/^(?=[.'])/gm, '\\&')

/** Writes roff, whose hyphen isn't the minus of an option. */
const format = (text: string): string =>
  escapeRoff(text)
    .replaceAll(/\*([^*]+)\*/g, (_, bold: string) => `\\fB${bold.replaceAll('-', '\\-')}\\fR`)
    .replaceAll(/(?<!\w)_([^\s_](?:[^_]*[^\s_])?)_(?!\w)/g, '\\fI$1\\fR')
    .replaceAll('\n\n', '\n.PP\n')

const formatItem = (tag: string, ...sentences: readonly (string | undefined)[]): string =>
  `.TP\n${format(tag)}\n${format(sentences.filter(Boolean).join('\n'))}`

const formatItems = (items: Readonly<Record<string, string>>): string =>
  Object.entries(items)
    .map(([tag, text]) => formatItem(tag, text))
    .join('\n')

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Formats *regent get* [_options_] _ID_, for example. */
function formatUsage(name: CommandName, hasOptions: boolean): string {
  const { options, usage } = getCommand(name)
  const operands = name === 'create' ? usage : usage.slice(name.length)
  return [
    `*regent${name === 'create' ? '' : ` ${name}`}*`,
    ...(hasOptions && options.length > 0 ? ['[_options_]'] : []),
    operands.trim().replaceAll(/\w+/g, '_$&_'),
  ].join(' ')
}

const formatOption = (name: OptionName): string => {
  const { help, implied, short, value } = getOption(name)
  const takers = NAMED_COMMANDS.filter((command) => getCommand(command).options.includes(name))
  const isShared = getCommand('create').options.includes(name)
  const who = takers.map((command) => `*${command}*`).join(', ')
  return formatItem(
    `${short ? `*-${short}*, ` : ''}*--${name}${implied ? '[=WHAT]' : ''}*${value ? ` _${value}_` : ''}`,
    toSentence(help),
    OPTION_DETAILS[name],
    who && `${isShared ? 'Also for' : 'For'} ${who}.`,
  )
}

const SHARING = getCommand('create').options

/** The manual of the command line, for `man`. */
export const formatManual = (
  version: string,
): string => `.TH REGENT 1 "" "regent-cli ${version}" "User Commands"
.SH NAME
regent \\- share text by link
.SH SYNOPSIS
${(Object.keys(COMMANDS) as CommandName[]).map((name) => format(formatUsage(name, true))).join('\n.br\n')}
.SH DESCRIPTION
${format(DESCRIPTION)}
.SH COMMANDS
${NAMED_COMMANDS.map((name) =>
  formatItem(formatUsage(name, false), toSentence(getCommand(name).summary), COMMAND_DETAILS[name]),
).join('\n')}
.SH OPTIONS FOR SHARING
${SHARING.map(formatOption).join('\n')}
.SH OTHER OPTIONS
${(Object.keys(OPTIONS) as OptionName[])
  .filter((name) => !SHARING.includes(name) && !(COMMON_OPTIONS as readonly string[]).includes(name))
  .map(formatOption)
  .join('\n')}
.SH OPTIONS OF EVERY COMMAND
${COMMON_OPTIONS.map(formatOption).join('\n')}
.SH EXIT STATUS
${formatItems(Object.fromEntries(Object.entries(EXIT_CODES).map(([ending, code]) => [`*${code}*`, EXITS[ending as keyof typeof EXIT_CODES]])))}
.SH ENVIRONMENT
${formatItems(ENVIRONMENT)}
.SH FILES
Only you can read these files.
${formatItems(FILES)}
.SH EXAMPLES
.EX
${escapeRoff(EXAMPLES).replaceAll('-', '\\-')}
.EE
`

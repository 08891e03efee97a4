import type { Sample } from './formats.ts'
import type { Sign } from './signs.ts'

/** Signs that leave no doubt, even if the text contains a lot of code or Markdown. */
const CERTAIN: readonly RegExp[] = [
  // Pages of the manual
  /^ ?[A-Z][\w.+:-]*\(\d\w*\) .* [A-Z][\w.+:-]*\(\d\w*\)\n|^NAME\n {3,8}\S.* [-–—] /,
  // psql
  /^ +([A-Z][a-z]+ )?(Table|View|Index|Sequence|view|table|index) "[^"\n]+"\n/,
  // curl -v
  /^\* +(Trying|Host|Connected to|Uses proxy|Could not resolve|Rebuilt URL|Added|Couldn't|Resolving|Closing) \S/,
  // The headers of a mail
  /^((From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|Von|An|Betreff|Gesendet|De|À|Objet|Para|Asunto): .+\n( .+\n)*){2}/,
  // Mailboxes
  /^From \S+@\S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:/,
  // git log
  /^commit [\da-f]{40}\b/,
  // Errors of PowerShell
  /(^|\n)\s*\+ CategoryInfo +: |(^|\n)Line \|\n *\d+ \| /,
  // ShellCheck
  /^\n*In \S+ line \d+:\n/,
  // TeX
  /^This is \S*TeX\b.*, Version /i,
]
const QUOTED_ANSWER =
  /^(?!>).{2,100}(wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef)\b.{0,60}:\n+> ?\S/m
/** Nobody writes these in a mail that isn't Markdown. */
const MARKDOWN = /^#{1,6} \S|^(\x60{3}|~{3})|\]\(\S/m

/** How most lines of some outputs start. */
const LINE_STARTS: readonly RegExp[] = [
  // grep -n
  /^[\w./@+-]+\.\w+[:-]\d+[:-]|^\d+:[^\d]/,
  // passwd, group
  /^[\w.-]+:[^:\s]*:\d+:[^=;(]*$/,
  // history
  /^ {1,5}\d+ {2}\S/,
  // git log --oneline, git reflog
  /^[\da-f]{7,40} \S/,
  // git log --graph
  /^[|\\/_ ]*[*|\\/]( *$| +[\\/|*]| +(commit )?[\da-f]{7,40}\b)/,
]
/** The shortest of them: fewer lines may be a coincidence. */
const MIN_LINES = 3
const LINE_SHARE = 0.6

/** Commands alone are Shell. With at least as many lines of what they printed, they are a session. */
function isSession(lines: readonly string[]): boolean {
  if (!/^\$ \S/.test(lines[0] ?? '')) return false
  const commands = lines.filter((line, index) => /^\$ |^#/.test(line) || /\\$/.test(lines[index - 1] ?? ''))
  return lines.length >= 2 * commands.length
}

export function isOutput({ text, lines }: Sample): boolean {
  if (isSession(lines)) return true
  if (CERTAIN.some((pattern) => pattern.test(text))) return true
  if (QUOTED_ANSWER.test(text) && !MARKDOWN.test(text)) return true
  if (lines.length < MIN_LINES) return false
  return LINE_STARTS.some(
    (pattern) => lines.filter((line) => pattern.test(line)).length >= LINE_SHARE * lines.length,
  )
}

/**
 * Signs of what tools print: plain text, whatever code is quoted in it. Patterns are multiline, and linear in time like
 * those of languages.
 */
export const OUTPUT_SIGNS: readonly Sign[] = (
  [
    // Prompts: of shells, of Windows, of databases, debuggers and languages.
    [4, /^(\([\w.-]+\) )?\[?[a-z_][\w.-]*@[\w.-]+[ :][^\n$#%]*[$#%] /],
    [4, /^(PS )?[A-Z]:\\[^\n>]*> ?/],
    [
      5,
      /^([a-z]\w*[=-][#>]|(mysql|sqlite|SQL|MariaDB \[\S+\]|redis|\w+:PRIMARY|[\d.]+:\d+)> |\((gdb|lldb|pdb|Pdb|dlv)\) )/,
    ],
    [4, /^(>>> \S|In ?\[\d+\]: |irb\(\w+\):\d+|iex\(\d+\)> |ghci> |julia> |scala> |jshell> )/],
    [
      4,
      /^([\w-]+ )?(\[[\w :-]+\] )?\w*> (db\.\w|show \w|use \w|[A-Z]{3,} |[\w.]+\(|(const|let|var) \w|\w+ <- )/,
    ],
    [4, /^\[\d+\] +["\d.-]|^\$\d+ = |^Out\[\d+\]: |\[[Yy]\/[Nn]\]/],
    // Keys and values, aligned or with leaders.
    [4, /^\s*[A-Z][\w()/#%'-]*( [\w()/#%'-]+){0,5} ?:( {2,}|\t+)\S/],
    [4, /(?<![. ])[. ]{4,}\.? ?: /],
    [2, /^\s*[A-Z][\w()/-]*( [\w()/-]+){1,4} ?: \S/],
    // Tables with lines, or with a heading in capitals.
    [
      6,
      /^\s*\+[-=+]{6,}\+$|^\s*[|]?-{3}(?=[-|+]*[|+]-{3})[-|+ ]*$|[┌└├╭╰│╷╵┃]|^\s*[-=]{2,}( +[-=]{2,}){2,}$/,
    ],
    [5, /^ *[A-Z#%][A-Z\d#%_().:/-]*( [A-Z]+)?( {2,}|\t)[A-Z#%][A-Z\d#%_().:/-]*( [A-Z]+)?( {2,}|\t)[A-Z#%]/],
    [3, /^\S+( \S+){0,2} {2,}\S+( \S+){0,2} {2,}[\d.,]+%?[A-Za-z]{0,3}( |$)/],
    [2, /^\S+( \S+)*( {2,}\S+( \S+)*){2,}$/],
    [4, /^[|│ ]*[+\\`├└|][-─]{1,3} \S|^[\w./ -]{3,40} \.{6,} /],
    // Diagnostics, with a place in a file, a caret, or quoted lines.
    [
      6,
      /^\s*(error|warning)\[\w+\]: |^[^\s:()]+[:(]\d+([:,]\d+)?\)?:? -? ?(fatal )?(error|warning|note|info|remark|hint)\b/i,
    ],
    [4, /^(\s*(-->|at) \S+:\d+(:\d+)?$|\S+\.[a-z]{1,4}:\d+:(\d+:)? \S)/i],
    [3, /^[\s|>]*[~^]+[~^ -]*([^\s/~^-].{0,60})?$/],
    [3, /^ *>? *\d+ +[|│] /],
    [3, /^\s*(\w+: )?(error|warning|fatal|fatal error|hint|note|help|E|W|ERR!?)( \w+)?: [^\s|>"'{[&*]/i],
    [4, /^\s*([✓✔✕✖✗✘●○×➜▲⚠]|\[[✓✗!+*-]\]) +\S/],
    [
      4,
      /^([\w.]+\.)?[A-Z]\w*(Error|Exception)(: | \()|^(Uncaught|Unhandled|Traceback|Caused by|Execution error)\b/,
    ],
    [2, /^(error|warning|info|success|notice|fatal|debug) \S/],
    // TeX
    [5, /^(Over|Under)full \\[hv]box |^l\.\d+ \S|^(LaTeX|Package|Class) (\w+ )?(Warning|Error): /],
    [
      2,
      /^\s*(Compiling|Building|Installing|Downloading|Fetching|Resolving|Checking|Running|Using|Unpacking|Setting up|Processing|Generating|Linking|Loading|Starting|Stopping|Creating|Updating|Removing|Copying|Writing|Reading|Connecting|Preparing|Analy[sz]ing|Collecting|Verifying|Extracting|Cloning|Pulling|Pushing|Scanning|Testing|Executing|Restored|Finished|Successfully|Failed|Listing|Saving|Found \d)\b.*[^:;,{(]$/,
    ],
    [3, /^(\W{1,4} )?[A-Z][\w ,'"./@()-]{4,}\.{3}$|^\[\d+\/\d+\] /],
    // Summaries.
    [
      5,
      /\b\d+ (passed|failed|passing|failing|pending|skipped|tests?|examples?|assertions?|errors?|warnings?|failures?|packages?|problems?|rows?|files? changed|insertions?|deletions?|vulnerabilities|modules|packets|upgraded|newly|added|to (add|change|destroy)|specs?|scenarios?|targets?|hosts?|directories)\b/i,
    ],
    [
      5,
      /\b(BUILD (FAILED|SUCCESSFUL|SUCCESS)|Tests run:|Test Suites:|exit(ed)? (with )?(code|status) -?\d|rows in set|Build (FAILED|succeeded))/,
    ],
    [
      4,
      /\b(finished|done|completed?|compiled|built|took|elapsed|ready|real|time)\b.{0,20}[ \t(=]\d[\d.:m]* ?(s|ms|secs?|seconds?|min(utes)?)\b/i,
    ],
    // Progress and measurements.
    [3, /(^|[ ([])\d{1,3}([.,]\d+)?%(?=[\s)\],:|]|$)/],
    [4, /\[(?=[=#>. -]*[=#>]{3})[=#>. -]*\]|[━█▏▎▍▌▋▊▉░▓]{3,}|\b\d+\/\d+ \[|(?<![=#])[=#]{20,} +[\d.]+%/],
    [2, /\b\d[\d.,]* ?([kKMGT]i?B|bytes|[mµnu]s|[kMG]bit)(\/s)?\b/],
    [3, /\.{3} ?(done|ok|yes|no|found|connected|failed|skipped|\d[\d.]*s)\.?$/i],
    // Banners.
    [
      4,
      /(?<![^\n]\n)^([=-]) ?\1{8,}$|^([*_~]) ?\2{8,}$|^[=-]{2,} ?[A-Z][^=\n]* ?[=-]{2,}$|^[A-Z][^*\n]* \*{6,}$/,
    ],
    [4, /^={2,}(>| \w)[^=\n]+(={2,})?$|^-{2,} [A-Z][\w ]+ -{2,}$/],
    [4, /^usage:( \S|$)|^([A-Za-z]+ )?(options|commands|subcommands|flags|arguments|examples):$/i],
    [3, /^ *[a-z][\w-]*( [\w<>[\]|.-]+){0,3} {2,}[a-z][\w'’-]*( [\w'’<>()./-]+){2,}$/],
    [3, /^ *(-\w, )?--[a-z][\w-]*([ =][<[]?[\w|.-]+[>\]]?)? {2,}\S/],
    [3, /^[A-Za-z][\w.+-]* (version |v)?\d+\.\d+(\.\d+)?\S*( |$)/],
    [5, /^[A-Z][\w.+-]*\(\d\w?\) .*[A-Z][\w.+-]*\(\d\w?\)$/],
    // Addresses, of memory and of networks; bytes, hashes, permissions, dates.
    [5, /^ +[\da-f]+:\t([\da-f]{2} )+/],
    [5, /\+0x[\da-f]+\/0x[\da-f]+|^[A-Z][A-Z\d]{1,5}: {1,2}[\da-f]{4,16}[ :]/],
    [3, /\b0x[\da-f]{6,16}\b|^ *[\da-f]{8,16} [ A-Za-z\d]/i],
    [3, /\b[\da-f]{2}(:[\da-f]{2}){5,}/i],
    [2, /(^|[\s(@/])\d{1,3}(\.\d{1,3}){3}(?=[\s):/#,]|$)/],
    [4, /^[-dlcbps]([r-][w-][xsStT-]){3}[.+@]? /],
    [
      2,
      /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +([A-Z][a-z]{2} +\d{1,2}|\d{1,2} [A-Z][a-z]{2})\b|\b\d\d:\d\d:\d\d\b/,
    ],
    [
      6,
      /^(==\d+==|debug\d: |commit [\da-f]{40}\b|[*|\\/ ]*\* [\da-f]{7,40} |[*|\\/ ]*\* +commit [\da-f]{40})/,
    ],
    // Traces of HTTP, headers of mail, quoted answers.
    [
      4,
      /^[<>] [A-Za-z][\w-]*: |^[<>] ([A-Z]+ \S+ )?HTTP\/\d|^\* +(Trying|Connected|Connection|Host|ALPN|TLS|SSL|Server|IPv\d)\b/,
    ],
    [
      4,
      /^(From|To|Cc|Author|Commit|Reply-To): .*[<(]?[\w.+-]+@[\w.-]+[>)]?|^(Message-I[Dd]|In-Reply-To|MIME-Version): /,
    ],
    [
      5,
      /^(On|Am|Le|El|Il|Op) .{6,80}(wrote|schrieb.{0,40}|a écrit ?|escribió|ha scritto|schreef):$|^-{2,} ?(Original Message|Forwarded message) ?-{2,}$/,
    ],
    [3, /^> ?>/],
    // Calls and what they returned
    [
      5,
      /^(\[pid +\d+\] )?[a-z_]\w*\(.*\) += +(-?\d+|0x[\da-f]+|\?|<[a-z]+>)( |$)|^\+\+\+ exited |^--- SIG[A-Z]+ \{/,
    ],
    // Routes of Rails
    [5, /^ *\w* +(GET|POST|PUT|PATCH|DELETE) +\/\S* +[\w/]+#\w+$/],
    // Answers of name servers
    [5, /^;; (->>|[A-Z]{4,} |Got answer|Query time)|\tIN\t[A-Z]{1,8}(\t|$)/],
  ] as const
).map(([weight, pattern]) => [weight, new RegExp(pattern.source, `gm${pattern.flags}`)])

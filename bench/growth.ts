import { parseOptions } from '../scripts/support/script.ts'
import { parseAnsi } from '../src/client/highlight/ansi.ts'
import { findLinks } from '../src/shared/links.ts'
import { formatTable, median } from './load.ts'

const HELP = `Measures how much longer a text takes that is four times as long, for texts that are meant to be slow: about four times
if the time grows with the length, and sixteen times if it grows with the square.

Usage: npm run bench -- growth
`

const ROUNDS = 5

/** Returns the CPU time of this process in milliseconds. Other load has no effect on it. */
function measureCpu(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

interface HostileText {
  readonly name: string
  readonly read: (text: string) => unknown
  /** Creates a share of the text. */
  readonly create: (share: number) => string
}

const LINKS_CHARACTERS = 512_000

const LINKS = [
  'https://',
  'https://a',
  'https://a.example/((((',
  'mailto:a@',
  'https://a.example/)',
  "'https://x'",
  '&lt;',
].map(
  (part): HostileText => ({
    name: `links: ${part}`,
    read: findLinks,
    create: (share) => part.repeat((LINKS_CHARACTERS * share) / part.length),
  }),
)

/** A long line of terminal output that is changed again and again. */
const createLine = (name: string, characters: number, sequence: string, times: number): HostileText => ({
  name: `terminal output: a line that is ${name}`,
  read: parseAnsi,
  create: (share) => `${'a'.repeat(characters * share)}\r${sequence.repeat(times * share)}`,
})

const TEXTS: readonly HostileText[] = [
  ...LINKS,
  createLine('moved', 300_000, '\x1B[P\x1B[1K\x1B[@', 30_000),
  createLine('erased', 1_000, '\x1B[999X', 1_000_000),
]

export function measureGrowth(): void {
  parseOptions(HELP, {})
  const rows = TEXTS.map(({ name, read, create }) => {
    const [quarter, whole] = [create(1 / 4), create(1)]
    const times = Array.from({ length: ROUNDS }, () =>
      [quarter, whole].map((text) => measureCpu(() => read(text))),
    )
    const [short, long] = [0, 1].map((index) => median(times.map((pair) => pair[index] ?? Number.NaN)))
    return [name, String(whole.length), (long ?? 0).toFixed(1), ((long ?? 0) / (short ?? 0)).toFixed(1)]
  })
  process.stdout.write(formatTable(['', 'characters', 'CPU ms', 'times a quarter'], rows))
}

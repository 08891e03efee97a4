import { parseOptions } from '../scripts/support/script.ts'
import { findLinkDomains, linksToAny } from '../src/documents/link-domains.lazy.ts'
import { AppError } from '../src/errors.ts'
import { linkText } from '../src/shared/links.ts'
import { HOSTILE_LINKS } from './hostile-links.ts'

const HELP = `Measures the CPU time of finding links in texts that are meant to make it slow.

Usage: npm run bench -- links [-- --only NAME]

Some texts are refused, because they have too many hosts that would have to be parsed. If a text has more domains than one statement checks, they are found again, as on a server that blocks some. The goals
are 100 ms for 1 MiB and 1,000 ms for 10 MiB.
`

const MEBIBYTE = 1024 * 1024
const RUNS = 3
/** No text links to it, but to others under the same top-level domain. */
const BLOCKED: ReadonlySet<string> = new Set(['evil.example', 'xn--bcher-kva.a'])

/** Returns the CPU time of this process in milliseconds. Other load has no effect on it. */
function measureCpu(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

function findTwice(text: string): void {
  try {
    if (findLinkDomains(text, 1_000) === null) linksToAny(text, BLOCKED)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

export function measureLinks(): void {
  const { only = '' } = parseOptions(HELP, { only: { type: 'string' } })
  console.log(
    '| Text | domains, 1 MiB, ms | domains, 10 MiB, ms | links of a page, 1 MiB, ms |\n|---|---:|---:|---:|',
  )
  for (const [name, createText] of Object.entries(HOSTILE_LINKS)) {
    if (!name.includes(only)) continue
    const [small, large] = [createText(MEBIBYTE), createText(10 * MEBIBYTE)]
    const times = [
      measureCpu(() => findTwice(small)),
      measureCpu(() => findTwice(large)),
      measureCpu(() => linkText(small)),
    ]
    console.log(`| ${[name, ...times.map((time) => time.toFixed(0))].join(' | ')} |`)
  }
}

import { gzipSync } from 'node:zlib'
import { type BuildOptions, buildSync } from 'esbuild'
import type { Browser } from 'playwright-core'
import { startBrowser } from '../scripts/support/browser.ts'
import { readCorpus, readOutputs } from '../scripts/support/detection-corpus.ts'
import { parseOptions, ROOT } from '../scripts/support/script.ts'
import { isSecret, scanText } from '../src/shared/scan/scan-text.ts'
import { type Part, readFindings, readOrdinary } from '../test/shared/scan/corpus/corpus.ts'

const HELP = `Measures what the scanner for secrets finds, how long it takes and how large it is.

Usage: npm run bench -- scan [-- --failures]

Half of the samples is held out: while you improve the scanner, look only at the failures of the others, which --failures
prints.
`

const percent = (part: number, all: number): string =>
  `${((100 * part) / all).toFixed(1)} % (${part} of ${all})`

function printRecall(part: Part, showFailures: boolean): void {
  const found = { known: 0, other: 0, personal: 0 }
  const all = { known: 0, other: 0, personal: 0 }
  let wrong = 0
  for (const { text, expected } of readFindings(part)) {
    const findings = scanText(text)
    const isIn = ({ from, to }: { from: number; to: number }) =>
      findings.some((finding) => finding.from <= from && finding.to >= to)
    for (const value of expected) {
      all[value.group]++
      if (isIn(value)) found[value.group]++
      else if (showFailures)
        console.log(`  missed: ${text.slice(value.from, value.to).slice(0, 60)}\n    ${text.slice(0, 100)}`)
    }
    const others = findings.filter(
      ({ from, to }) => !expected.some((value) => value.from < to && value.to > from),
    )
    wrong += others.length
    if (showFailures)
      for (const { from, to, type } of others)
        console.log(`  wrong: ${type} ${text.slice(from, to)} in ${text.slice(0, 100)}`)
  }
  console.log(`${part}:`)
  console.log(`  secrets of a known shape: ${percent(found.known, all.known)}`)
  console.log(`  other secrets: ${percent(found.other, all.other)}`)
  console.log(`  personal details: ${percent(found.personal, all.personal)}`)
  console.log(`  found besides: ${wrong}`)
}

function printFalseAlarms(part: Part, showFailures: boolean): void {
  const texts = readOrdinary(part)
  const alarms = texts.filter((text) => scanText(text).length > 0)
  console.log(`  ordinary texts with an alarm: ${percent(alarms.length, texts.length)}`)
  const others = [...readCorpus(), ...readOutputs()].filter(
    ({ heldOut }) => heldOut === (part === 'held-out'),
  )
  const found = others.filter(({ text }) => scanText(text).some(isSecret))
  console.log(`  code and outputs of tools with a secret: ${percent(found.length, others.length)}`)
  const details = others.filter(({ text }) => scanText(text).some((finding) => !isSecret(finding)))
  console.log(`  code and outputs of tools with a personal detail: ${percent(details.length, others.length)}`)
  if (!showFailures) return
  for (const text of [...alarms, ...found.map(({ text }) => text), ...details.map(({ text }) => text)])
    for (const { from, to, type, detail } of scanText(text))
      console.log(
        `  ${type} ${detail ?? ''}: ${text.slice(Math.max(0, from - 30), from)}«${text.slice(from, to).slice(0, 60)}»`,
      )
}

const MIB = 1024 * 1024

/** Inputs that are meant to be slow. */
const HOSTILE: readonly string[] = [
  'a',
  '1',
  '@',
  ':',
  '=',
  '.',
  '-',
  'a@',
  'a.b@',
  '1.',
  'eyJ',
  'eyJ-',
  'sk-',
  'ghp_',
  'https://',
  'https://a:',
  'password=',
  'token:',
  '-key:',
  'mysql -p',
  '<token>',
  '&gt;',
  '&lt;token&gt;',
  '&lt;token&gt;abcdefgh&lt;/',
  'password="',
  "password:'",
  'cookie:',
  'cookie: a=',
  'token ',
  '--token ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '+1',
  '+49 1',
  '2a01:',
  '2001::',
  '/home/',
  'C:\\',
  '1111 ',
  '1//0',
  'glc_/',
  'Bearer a',
  'Bearer ',
  'Basic a',
  '"a",',
  '",',
  '.atlasv1.',
  '8Q~',
  '-us1',
  'a:AA',
  'MT',
  'sig=',
  'ENV A ',
  'login password ',
  '@tcp(',
  'curl -u a:',
  '-u a:',
  'https://hooks.slack.com/services/',
  'AA:',
  '00:',
  '\u00e9',
  'hvs.',
  'dp.pt.',
  'dp.pt.a',
  "['token'] = ",
]

const LOG = `2026-11-28T09:00:01.123Z INFO [http] 93.184.10.5 "GET /api/v1/items?page=2 HTTP/1.1" 200 512 user=mara@keller.de id=3f2504e0-4f89-11d3-9a0c-0305e82c3301 took=12ms\n`

const toSize = (part: string, size: number): string =>
  part.repeat(Math.ceil(size / part.length)).slice(0, size)

function measure(text: string): number {
  const start = performance.now()
  scanText(text)
  return performance.now() - start
}

function printTimes(): void {
  const [code = ''] = [
    readCorpus()
      .map(({ text }) => text)
      .join('\n'),
  ]
  for (const [name, part] of [
    ['log', LOG],
    ['code', code],
  ] as const) {
    for (let warm = 0; warm < 3; warm++) measure(toSize(part, MIB))
    console.log(
      `1 MiB of a ${name}: ${measure(toSize(part, MIB)).toFixed(0)} ms, 10 MiB: ${measure(toSize(part, 10 * MIB)).toFixed(0)} ms`,
    )
  }
  const slow = HOSTILE.map((part) => [part, measure(toSize(part, MIB))] as const).toSorted(
    (a, b) => b[1] - a[1],
  )
  for (const [part, time] of slow.slice(0, 8))
    console.log(`1 MiB of ${JSON.stringify(part)}: ${time.toFixed(0)} ms`)
}

const bundle = (options: BuildOptions) =>
  buildSync({
    entryPoints: [`${ROOT}/src/shared/scan/scan-text.ts`],
    bundle: true,
    minify: true,
    ...options,
    write: false,
  }).outputFiles[0]?.contents ?? new Uint8Array()

const SCANNER = 'scanner'
const CPU_SLOWDOWN = 4
const PAGES = 5
const SCANS = 4

/** Measures scans in a new page, where nothing is compiled yet, and not in a worker, which Chromium doesn't slow down. */
async function timeScans(browser: Browser, code: string, text: string): Promise<readonly number[]> {
  const page = await browser.newPage()
  await page.addScriptTag({ content: code })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const times = await page.evaluate(
    ([name, text, scans]) => {
      const scan: (text: string) => unknown = Reflect.get(globalThis, name).scanText
      return Array.from({ length: scans }, () => {
        const start = performance.now()
        scan(text)
        return performance.now() - start
      })
    },
    [SCANNER, text, SCANS] as const,
  )
  await page.close()
  return times
}

/** The best of the runs, since programs beside it make the figures larger. */
async function printSlowTimes(): Promise<void> {
  const code = new TextDecoder().decode(bundle({ format: 'iife', globalName: SCANNER }))
  const browser = await startBrowser()
  for (const size of [MIB, 10 * MIB]) {
    const [first, later]: [number[], number[]] = [[], []]
    for (let run = 0; run < PAGES; run++) {
      const [one = 0, ...others] = await timeScans(browser, code, toSize(LOG, size))
      first.push(one)
      later.push(...others)
    }
    const best = (times: readonly number[]) => Math.min(...times).toFixed(0)
    console.log(
      `${size / MIB} MiB of a log in Chromium, CPU slowed down ${CPU_SLOWDOWN}×: ${best(first)} ms at first, then ${best(later)} ms`,
    )
  }
  await browser.close()
}

function printSize(): void {
  const code = bundle({ format: 'esm' })
  console.log(`Size: ${code.length} bytes, ${gzipSync(code).length} compressed`)
}

export async function measureScan(): Promise<void> {
  const { failures = false } = parseOptions(HELP, { failures: { type: 'boolean' } })
  printRecall('tuning', failures)
  printFalseAlarms('tuning', failures)
  printRecall('held-out', false)
  printFalseAlarms('held-out', false)
  printTimes()
  await printSlowTimes()
  printSize()
}

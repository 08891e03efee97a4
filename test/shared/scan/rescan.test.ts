import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EMPTY, rescan } from '../../../src/shared/scan/rescan.ts'
import { scanText } from '../../../src/shared/scan/scan-text.ts'
import { readFindings } from './corpus/corpus.ts'

const SAMPLES = readFindings('tuning').map(({ text }) => text)
const PIECES = [
  ...SAMPLES.flatMap((text) => text.split(/\b/)),
  '\n',
  '-----BEGIN PRIVATE KEY-----\n',
  '\nlogin a ',
]

it('finds the same after changes as in the whole text', () => {
  const change = fc.record({
    from: fc.nat(400),
    removed: fc.nat(30),
    insert: fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...SAMPLES)),
  })
  fc.assert(
    fc.property(fc.constantFrom(...SAMPLES), fc.array(change, { maxLength: 12 }), (start, changes) => {
      let scanned = rescan(EMPTY, { from: 0, to: 0, insert: start })
      for (const { from: wanted, removed, insert } of changes) {
        const from = Math.min(wanted, scanned.text.length)
        scanned = rescan(scanned, { from, to: Math.min(from + removed, scanned.text.length), insert })
        expect(scanned.findings).toEqual(scanText(scanned.text))
      }
    }),
    { numRuns: 300 },
  )
})

it('reads only the lines of a change', () => {
  const line = 'from 93.184.10.5 by mara@keller.de\n'
  const scanned = rescan(EMPTY, { from: 0, to: 0, insert: line.repeat(100) })
  const changed = rescan(scanned, { from: line.length * 50, to: line.length * 50, insert: 'x\n' })
  expect(changed.findings).toHaveLength(200)
  expect(changed.findings.at(-1)?.to).toBe(line.length * 100 + 1)
})

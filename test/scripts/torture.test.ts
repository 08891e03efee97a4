import { describe, expect, it } from 'vitest'
import { runKills } from '../torture/kills.ts'
import {
  checkRead,
  checkViews,
  isOpen,
  type Known,
  markGone,
  raceBurn,
  replaceText,
  Verdict,
} from '../torture/soak/model.ts'
import { type SoakAnswer, SoakServer } from '../torture/soak/server.ts'
import { createRandom } from '../torture/soak/traffic.ts'

const makeKnown = (changes: Partial<Known> = {}): Known => ({
  id: 'x',
  owner: {},
  hasAccount: true,
  password: null,
  expiresAt: null,
  texts: new Set(['new', 'in flight']),
  replaced: new Map(),
  state: 'live',
  goneAt: Number.POSITIVE_INFINITY,
  attempts: 1,
  deliveries: [],
  epoch: 0,
  history: ['create'],
  ...changes,
})

function findViolations(
  known: Known,
  status: number,
  text = 'new',
  { asOwner = true, at = Date.now() } = {},
): string[] {
  const verdict = new Verdict()
  const shows = (expected: string) => expected === text
  checkRead(known, { status, asOwner, startedAt: at, endedAt: at, shows }, verdict)
  return verdict.violations
}

describe('the model of the soak test', () => {
  it('accepts the acknowledged text and one whose edit had no answer', () => {
    for (const text of ['new', 'in flight']) expect(findViolations(makeKnown(), 200, text)).toEqual([])
  })

  it('reports a text that was never written, with the history', () => {
    expect(findViolations(makeKnown(), 200, 'old')).toEqual(['x: another text was delivered\n    create'])
  })

  it('accepts a text that was replaced within the last second, but not for who has a credential', () => {
    const known = makeKnown()
    replaceText(known, 'newest')
    expect(findViolations(known, 200, 'newest')).toEqual([])
    expect(findViolations(known, 200, 'new', { asOwner: false })).toEqual([])
    expect(findViolations(known, 200, 'new').join()).toContain('another text was delivered')
    const later = { asOwner: false, at: Date.now() + 1_100 }
    expect(findViolations(known, 200, 'new', later).join()).toContain('another text was delivered')
  })

  it('reports an acknowledged document that is missing, but not one whose deletion had no answer', () => {
    expect(findViolations(makeKnown(), 404).join()).toContain('is missing')
    expect(findViolations(makeKnown({ state: 'unsure' }), 404)).toEqual([])
  })

  it('reports a document that comes back', () => {
    const known = makeKnown({ state: 'unsure' })
    findViolations(known, 404)
    expect(findViolations(known, 200).join()).toContain('a deleted document was delivered')
  })

  it('accepts one that was deleted within the last second, but not for who has a credential', () => {
    const known = makeKnown()
    markGone(known)
    expect(findViolations(known, 200, 'new', { asOwner: false })).toEqual([])
    expect(findViolations(known, 200).join()).toContain('a deleted document was delivered')
    const later = { asOwner: false, at: Date.now() + 1_100 }
    expect(findViolations(known, 200, 'new', later).join()).toContain('a deleted document was delivered')
  })

  it('reports a document that outlives its expiry, and not one that has expired', () => {
    const known = makeKnown({ expiresAt: Date.now() - 1 })
    expect(findViolations(known, 200).join()).toContain('an expired document was delivered')
    expect(findViolations(known, 404)).toEqual([])
  })

  it('reports too many views, and views that were lost without a fault', () => {
    const verdict = new Verdict()
    const server = new SoakServer('/nowhere')
    checkViews(makeKnown({ deliveries: [0] }), 1, server, verdict)
    expect(verdict.violations).toEqual([])
    checkViews(makeKnown(), 2, server, verdict)
    checkViews(makeKnown({ deliveries: [0] }), 0, server, verdict)
    expect(verdict.violations.join()).toMatch(/2 views after 1 reads.*0 views after 1 deliveries/s)
  })

  it('reports a 500, and leaves the outcome of a 503 open', () => {
    const verdict = new Verdict()
    expect([null, 503, 404].map((status) => isOpen(status, verdict, 'read'))).toEqual([true, true, false])
    expect(verdict.violations).toEqual([])
    expect(isOpen(500, verdict, 'read')).toBe(true)
    expect(verdict.violations).toEqual(['read: status 500'])
  })

  it('makes the same choices for the same seed', () => {
    const [one, other] = [createRandom(7), createRandom(7)]
    for (let count = 0; count < 100; count++) {
      const number = one()
      expect(number).toBe(other())
      expect(number).toBeGreaterThanOrEqual(0)
      expect(number).toBeLessThan(1)
    }
  })
})

/** A service that delivers a burn-after-reading document to this many readers. */
class WrongServer extends SoakServer {
  #left: number

  constructor(deliveries: number) {
    super('/nowhere')
    this.#left = deliveries
  }

  override async send(_path: string, init?: RequestInit): Promise<SoakAnswer | null> {
    const headers = new Headers()
    if (init?.body) return { status: 200, text: JSON.stringify({ data: { id: 'x' } }), headers }
    this.#left -= 1
    return this.#left >= 0 ? { status: 200, text: 'secret', headers } : { status: 404, text: '', headers }
  }
}

describe('a race for a burn-after-reading document', () => {
  it.each([
    [0, 'x: delivered to nobody'],
    [1, ''],
    [2, 'x: delivered 2 times'],
  ])('with %i deliveries is judged as "%s"', async (deliveries, violation) => {
    const verdict = new Verdict()
    const server = new WrongServer(deliveries)
    await raceBurn({ server, verdict, key: 'key', text: 'secret', readers: 3 })
    expect(verdict.violations.map((found) => found.split('\n', 1)[0]).join()).toBe(violation)
  })

  it('leaves open what became of the document if no reader had an answer', async () => {
    const verdict = new Verdict()
    const server = new WrongServer(0)
    const send = server.send.bind(server)
    server.send = async (path, init) => (init?.body ? send(path, init) : null)
    expect(await raceBurn({ server, verdict, key: 'key', text: 'secret', readers: 3 })).toBe('unknown')
    expect(verdict.violations).toEqual([])
  })
})

// `npm run torture -- kills` kills the process in every storage call of every operation.
it('a create and a burn keep their promises if the process is killed right after D1 has stored them', async () => {
  const chosen = new Map([
    ['create with Idempotency-Key', 4],
    ['burn', 3],
  ])
  const { kills, violations } = await runKills({
    print: () => {},
    choose: (operation, { nth, moment }) => moment === 'after' && chosen.get(operation) === nth,
  })
  expect({ kills, violations }).toEqual({ kills: 2, violations: [] })
})

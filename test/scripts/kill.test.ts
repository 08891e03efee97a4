import { expect, it } from 'vitest'
import { runKills } from '../torture/kills.ts'

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

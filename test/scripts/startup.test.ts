import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

// A ratio of two measurements in the same process. docs/performance.md has the figure; the limit leaves room for noise.
it('starting the Worker takes at most fifteen times as much CPU as an empty Worker with Hono', () => {
  const output = execFileSync('npm', ['run', '--silent', 'bench', '--', 'startup', '--json'], {
    encoding: 'utf8',
  })
  expect(JSON.parse(output).ratio).toBeLessThan(15)
})

import { expect, it } from 'vitest'
import { ROUTING } from '../../src/http/paths.ts'

it.each([
  ['/', '/'],
  ['/bcdfghjk/edit/', '/bcdfghjk/edit'],
  ['/@ada/report', '/@ada%2Freport'],
  ['/r/@ada/report/main.py', '/r/@ada%2Freport/main.py'],
  ['/:id/edit', '/%3Aid/edit'],
  ['/account/*', '/account/%2A'],
  ['/%2A', '/%2A'],
  ['/a:b*', '/a:b*'],
])('finds the routes of %s as %s', (path, expected) => {
  expect(ROUTING.getPath(new Request(`http://localhost${path}`))).toBe(expected)
})

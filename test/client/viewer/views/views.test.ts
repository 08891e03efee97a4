import { describe, expect, it } from 'vitest'
import { chooseView, setViewInAddress, type View } from '../../../../src/client/viewer/views/views.ts'

const createView = (name: string): View => ({
  name,
  label: name,
  appliesTo: () => true,
  load: () => Promise.reject(new Error('not loaded')),
})

const rendered = createView('rendered')
const log = createView('log')

const address = (rest: string) => new URL(`https://example.com/abc${rest}`)

describe('the view that a document starts in', () => {
  it.each([
    ['the first one that applies', '', rendered],
    ['the one in the address', '?view=log', log],
    ['the source, if the address says so', '?view=source', null],
    ['the first one if the address names none that applies', '?view=nothing', rendered],
    ['the source for a link to a line', '#L10-L20', null],
    ['the one in the address even for a link to a line', '?view=log#L10', log],
  ])('is %s', (_, rest, expected) => {
    expect(chooseView([rendered, log], address(rest))).toBe(expected)
  })

  it('is the first one for a link to a line, if that view can follow it', () => {
    const followsLineLinks = { ...log, followsLineLinks: true }
    expect(chooseView([followsLineLinks, rendered], address('#L10'))).toBe(followsLineLinks)
  })

  it('is the source if no other view applies', () => {
    expect(chooseView([], address('?view=log'))).toBeNull()
  })
})

describe('the address of a view', () => {
  it.each([
    ['names the source', null, '?a=b', '?a=b&view=source'],
    ['names another view', log, '', '?view=log'],
    ['doesn’t name the view that the document starts in', rendered, '?view=log', ''],
    ['names a view that a link to a line wouldn’t open', rendered, '#L10', '?view=rendered#L10'],
    ['keeps a link to a line', null, '?view=log#L10', '#L10'],
  ])('%s', (_, view, before, after) => {
    expect(setViewInAddress([rendered, log], view, address(before)).href).toBe(address(after).href)
  })
})

import { describe, expect, it } from 'vitest'
import { create, send } from '../../support/client.ts'

async function redirect(path: string, method = 'GET') {
  const { status, headers } = await send(path, { method, redirect: 'manual' })
  return { status, location: headers.get('Location'), cache: headers.get('Cache-Control') }
}

describe('an altered address', () => {
  it.each([
    ['/abcd2345)', '/abcd2345'],
    ['/abcd2345,', '/abcd2345'],
    ['/abcd2345>', '/abcd2345'],
    ['/abcd2345%3E', '/abcd2345'],
    ['/abcd2345%2C', '/abcd2345'],
    ['/abcd2345;', '/abcd2345'],
    ['/abcd2345:', '/abcd2345'],
    ['/abcd2345!', '/abcd2345'],
    ["/abcd2345'", '/abcd2345'],
    ['/abcd2345"', '/abcd2345'],
    ['/abcd2345”', '/abcd2345'],
    ['/abcd2345。', '/abcd2345'],
    ['/abcd2345]', '/abcd2345'],
    ['/abcd2345)**', '/abcd2345'],
    ['/abcd2345_', '/abcd2345'],
    ['/abcd2345%20', '/abcd2345'],
    ['/abcd2345&utm_source=x', '/abcd2345'],
    ['/abcd2345),', '/abcd2345'],
    ['/abcd2345.py)', '/abcd2345.py'],
    ['/abcd2345)?view=source', '/abcd2345?view=source'],
    ['//abcd2345', '/abcd2345'],
    ['///abcd2345', '/abcd2345'],
    ['//evil.example', '/evil.example'],
    ['/r/abcd2345,', '/r/abcd2345'],
    ['/about).', '/about'],
    ['/abcd2345%23opensesame', '/abcd2345#opensesame'],
    ['/abcd2345%2523open%20sesame', '/abcd2345#open%20sesame'],
    ['/abcd2345%23L10-L12', '/abcd2345#L10-L12'],
    ['/abcd2345%23opensesame?utm_source=x', '/abcd2345?utm_source=x#opensesame'],
  ])('%s is redirected to %s', async (path, location) => {
    const expected = { status: 302, location, cache: 'no-store' }
    expect(await redirect(path)).toEqual(expected)
    expect(await redirect(path, 'HEAD')).toEqual(expected)
  })

  it.each(['/abc)', '/abcd2345%2Fedit', '/abcd2345%5Cedit', '//evil.example/x', '/about-us', '/snake_case'])(
    '%s isn’t one',
    async (path) => {
      expect((await redirect(path)).location).toBeNull()
    },
  )

  it('of a request that changes something isn’t followed', async () => {
    const { id } = await create('x')
    expect((await redirect(`/${id})`, 'POST')).location).toBeNull()
  })

  it('leads to the document', async () => {
    const { id } = await create('text')
    const { location } = await redirect(`/${id}).`)
    expect((await send(location ?? '')).status).toBe(200)
  })
})

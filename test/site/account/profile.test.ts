import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { create, read } from '../../support/client.ts'
import { signInBrowser } from '../../support/site/signed-in.ts'

const findUserRow = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?1').bind(id).first()

describe('the profile', () => {
  it('can change its username, even to a similar one, and keeps keys and sessions', async () => {
    const { own, browser } = await signInBrowser()
    const wanted = own.username.toUpperCase()
    const answer = await browser.submit('/account/username', { username: wanted })
    expect(answer.headers.get('Location')).toBe('/account?done=renamed')
    expect((await findUserRow(own.id))?.username).toBe(wanted)
    const { id } = await create('x', {}, { key: own.key })
    expect((await read(id)).body.data.creator).toMatchObject({ username: wanted })
    expect(await (await browser.open('/account?done=renamed')).text()).toContain('Username changed.')
  })

  it.each([
    ['x', '3 to 30'],
    ['Root', 'reserved'],
    ['taken-name', 'is taken'],
    ['TAKEN_NAME', 'is taken'],
  ])('refuses the username %s', async (username, message) => {
    await account({ username: 'taken-name' }).catch(() => null)
    const { own, browser } = await signInBrowser()
    const answer = await browser.submit('/account/username', { username })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain(message)
    expect(page).toContain(`value="${username}"`)
    expect((await findUserRow(own.id))?.username).toBe(own.username)
  })

  it('gives a username to one of two accounts that ask at once', async () => {
    const browsers = await Promise.all([signInBrowser(), signInBrowser()])
    const answers = await Promise.all(
      browsers.map(({ browser }) => browser.submit('/account/username', { username: 'wanted-by-two' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400])
  })
})

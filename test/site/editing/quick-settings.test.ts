import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { createAnonymous, edit, read, withVars } from '../../support/client.ts'
import { createScene, parseForm, sendForm, visit } from '../../support/site/forms.ts'

/** The values of the buttons in the menu of a document's page, by their names. */
const listButtons = (html: string): string[] =>
  [...html.matchAll(/<button type="submit" name="(visibility|expires)" value="(\w+)"/g)].map(
    ([, name, value]) => `${name} ${value}`,
  )

describe('the menu of a document’s page', () => {
  it('makes it public and unlisted, and changes nothing else', async () => {
    const settings = { title: 'A "title"', name: 'kept', language: 'rust', image_embed: true }
    const { headers, id, path } = await createScene('fn main() {}', settings)
    const before = (await read(id)).body.data
    const { html } = await visit(`/${id}`, { headers })
    expect(listButtons(html)).toEqual(['visibility public', 'expires month', 'expires year', 'expires never'])
    const fields = await parseForm(html, path)
    const saved = await sendForm(path, { ...fields, visibility: 'public' }, { headers })
    expect({ status: saved.status, location: saved.location }).toEqual({ status: 303, location: `/${id}` })
    const after = (await read(id)).body.data
    expect(after.settings).toEqual({ ...before.settings, public: true })
    expect(after.timestamps.expiration).toBe(before.timestamps.expiration)
    expect(after.content).toBe(before.content)
    const shown = (await visit(`/${id}`, { headers })).html
    expect(listButtons(shown)[0]).toBe('visibility unlisted')
    await sendForm(path, { ...(await parseForm(shown, path)), visibility: 'unlisted' }, { headers })
    expect((await read(id)).body.data.settings).toEqual(before.settings)
  })

  it('extends its expiry, and offers none that is earlier', async () => {
    const { headers, id, path } = await createScene('x', { expiration: 60 })
    const { html } = await visit(`/${id}`, { headers })
    expect(listButtons(html)).toEqual(['visibility public', 'expires year', 'expires never'])
    await sendForm(path, { ...(await parseForm(html, path)), expires: 'never' }, { headers })
    expect((await read(id)).body.data.timestamps.expiration).toMatch(/^9999/)
    expect(listButtons((await visit(`/${id}`, { headers })).html)).toEqual(['visibility public'])
  })

  it('starts a copy with its text and title where there are no scripts', async () => {
    const { headers, id, path, creator } = await createScene('a\n', { title: 'Mine', language: 'rust' })
    const { html } = await visit(`/${id}`, { headers })
    expect(html).toContain('name="duplicate" value="yes"')
    const copy = await sendForm(path, { duplicate: 'yes' }, { headers })
    expect(copy.status).toBe(200)
    const fields = await parseForm(copy.html, '/')
    expect(fields).toMatchObject({
      content: 'a\n',
      title: 'Mine',
      language: 'rust',
      duplicated_from: id,
    })
    const shared = await sendForm('/', fields, { headers })
    expect(shared.status).toBe(303)
    const { data } = (await read(shared.location?.slice(1) ?? '', { key: creator.key })).body
    expect(data.settings.title).toBe('Mine')
    const stranger = await session(await account())
    expect((await sendForm(path, { duplicate: 'yes' }, { headers: stranger })).status).toBe(403)
  })

  it('asks again after somebody else has changed the document', async () => {
    const { headers, id, path, creator } = await createScene('x')
    const fields = await parseForm((await visit(`/${id}`, { headers })).html, path)
    await edit({ id, content: 'y' }, { key: creator.key })
    const refused = await sendForm(path, { ...fields, visibility: 'public' }, { headers })
    expect(refused.status).toBe(412)
    expect((await read(id)).body.data.settings.public).toBe(false)
  })

  it('offers only what the document can be', async () => {
    for (const settings of [{ encrypted: true, password: 'secret' }, { instant_delete: true }]) {
      const { headers, id } = await createScene('x', settings)
      const { html } = await visit(`/${id}`, { headers })
      expect(listButtons(html)).not.toContain('visibility public')
      expect(html).not.toContain(`/${id}/report`)
    }
    const { headers, id } = await createScene('x')
    const bindings = withVars({ EXPLORE: 'off' })
    expect(listButtons((await visit(`/${id}`, { headers, bindings })).html)[0]).toBe('expires month')
  })

  it('changes nothing for readers, and offers them a report instead', async () => {
    const { headers, id } = await createScene('x')
    const report = `href="/${id}/report"`
    const reader = (await visit(`/${id}`, { headers: await session(await account()) })).html
    expect(listButtons(reader)).toEqual([])
    expect(reader).toContain(report)
    expect((await visit(`/${id}`, { headers })).html).not.toContain(report)
  })

  it('extends a document without an account up to 7 days after its creation', async () => {
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const week = await createAnonymous('x')
    expect(listButtons((await visit(`/${week.id}`, week)).html)).toEqual([])
    const hour = await createAnonymous('x', { expiration: 1 / 24 }, { bindings })
    const { html } = await visit(`/${hour.id}`, hour)
    expect(listButtons(html)).toEqual(['expires day', 'expires week'])
    const path = `/${hour.id}/edit`
    const saved = await sendForm(path, { ...(await parseForm(html, path)), expires: 'week' }, hour)
    expect(saved.status).toBe(303)
    const { expiration } = (await read(hour.id)).body.data.timestamps
    expect(Date.parse(expiration)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
  })
})

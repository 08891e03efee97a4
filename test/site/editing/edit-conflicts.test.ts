import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { edit, read } from '../../support/client.ts'
import { createScene, expectFormAgain, openForm, readContent } from '../../support/site/edit-form.ts'
import { parseForm, sendForm } from '../../support/site/forms.ts'

describe('two people who edit the same document', () => {
  it('see the saved version, who saved it and when, and can save over it', async () => {
    const { headers, id, path, creator } = await createScene('start')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: creator.key })
    const theirs = await session(editor)
    const mine: Record<string, string> = {
      ...(await openForm({ path, headers })),
      content: 'mine <b>',
      language: 'json',
    }
    const other = { ...(await openForm({ path, headers: theirs })), content: 'theirs & </textarea>' }
    expect((await sendForm(path, other, { headers: theirs })).status).toBe(303)
    const conflict = await sendForm(path, mine, { headers })
    const { version: _, ...kept } = mine
    await expectFormAgain(conflict, path, 412, kept)
    expect(conflict.html).toContain(`It was last edited by ${editor.username} on <time`)
    expect(conflict.html).toContain(
      'readonly="" spellcheck="false">\ntheirs &amp; &lt;/textarea&gt;</textarea>',
    )
    expect(conflict.html).toContain('Save anyway')
    expect(await readContent(id)).toBe('theirs & </textarea>')
    const overwriting = await parseForm(conflict.html, path)
    expect((await sendForm(path, overwriting, { headers })).status).toBe(303)
    expect((await read(id)).body.data).toMatchObject({ content: 'mine <b>', settings: { language: 'json' } })
  })

  it('get both texts in full, however long they are', async () => {
    const { headers, id, path, creator } = await createScene('start')
    const mine = { ...(await openForm({ path, headers })), content: '<mine>\n'.repeat(100_000) }
    const theirs = '"theirs" 😀\n'.repeat(100_000)
    await edit({ id, content: theirs }, { key: creator.key })
    const { status, html } = await sendForm(path, mine, { headers })
    expect(status).toBe(412)
    expect((await parseForm(html, path)).content === mine.content).toBe(true)
    expect(html.includes(`>\n${'&quot;theirs&quot; 😀\n'.repeat(100_000)}</textarea>`)).toBe(true)
    expect(html.endsWith('</html>')).toBe(true)
  })

  it('never overwrite each other unknowingly: each time one of two is told', async () => {
    const { headers, id, path, creator } = await createScene('start')
    const editor = await account()
    await edit({ id, settings: { editors: [editor.username] } }, { key: creator.key })
    const people = [headers, await session(editor)]
    for (let round = 0; round < 100; round++) {
      const saved = await Promise.all(
        people.map(async (who, index) => {
          const fields = { ...(await openForm({ path, headers: who })), content: `${round} ${index}` }
          return { fields, who }
        }),
      )
      const answers = await Promise.all(
        saved.map(({ fields, who }) => sendForm(path, fields, { headers: who })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([303, 412])
      const winner = answers.findIndex((answer) => answer.status === 303)
      expect(await readContent(id)).toBe(`${round} ${winner}`)
      const told = answers[1 - winner]
      expect(told?.html).toContain(`>\n${round} ${winner}</textarea>`)
      expect((await parseForm(told?.html ?? '', path)).content).toBe(`${round} ${1 - winner}`)
    }
  })
})

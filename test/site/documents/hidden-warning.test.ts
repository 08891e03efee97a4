import { describe, expect, it } from 'vitest'
import { create } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'

describe('the warning about hidden characters', () => {
  it('says how many there are, and links to the first', async () => {
    const { id } = await create('a\nb\u202Ec\u2066d\nword\u200Bword\0', undefined)
    const { html } = await requestPage(`/${id}`)
    expect(html).toContain('role="note"')
    expect(html).toMatch(/2 bidirectional control characters \(<a href="#L2">first on line 2<\/a>\)/)
    expect(html).toMatch(/2 invisible characters \(<a href="#L3">first on line 3<\/a>\)/)
  })

  it('appears on the page of a long document', async () => {
    const { id } = await create(`${'line\n'.repeat(50_000)}\u202E`)
    expect((await requestPage(`/${id}`)).html).toContain(
      'bidirectional control character (<a href="#L50001">',
    )
  })

  it('does not appear for emoji, joined scripts and ideographs', async () => {
    const { id } = await create('👨‍👩‍👧 ❤️ می‌خواهم क्‍ष')
    expect((await requestPage(`/${id}`)).html).not.toContain('role="note"')
  })
})

import { describe, expect, it } from 'vitest'
import { type EditableSettings, mergeSettings, pickEditable } from '../../../src/client/edit/edit-settings.ts'

const BASE: EditableSettings = {
  title: 'a.go',
  language: 'go',
  public: false,
  image_embed: false,
  instant_delete: false,
}

describe('settings that two people change at the same time', () => {
  it('are both kept if they are different settings', () => {
    const mine = { ...BASE, public: true }
    const theirs = { ...BASE, language: 'rust' }
    expect(mergeSettings({ base: BASE, mine, theirs })).toEqual({
      merged: { ...BASE, public: true, language: 'rust' },
      contested: [],
    })
  })

  it('stay mine if they are the same setting, which is reported', () => {
    const mine = { ...BASE, language: 'c' }
    const theirs = { ...BASE, language: 'rust', image_embed: true }
    expect(mergeSettings({ base: BASE, mine, theirs })).toEqual({
      merged: { ...BASE, language: 'c', image_embed: true },
      contested: ['language'],
    })
  })

  it('are not reported if both chose the same value', () => {
    const both = { ...BASE, instant_delete: true }
    expect(mergeSettings({ base: BASE, mine: both, theirs: both })).toEqual({ merged: both, contested: [] })
  })
})

describe('editable settings', () => {
  it("leave out what the API shows and the form can't change", () => {
    const shown = { ...BASE, encrypted: true, editors: ['ada'] }
    expect(pickEditable(shown)).toEqual(BASE)
  })

  it('have an empty title if the API shows none', () => {
    const { title: _, ...shown } = BASE
    expect(pickEditable(shown).title).toBe('')
  })
})

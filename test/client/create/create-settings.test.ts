import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../../src/client/create/create-settings.ts'

function fields(values: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}

describe('the settings of a new document', () => {
  it('are empty for a form that is left as it is', () => {
    const untouched = {
      content: 'x',
      visibility: 'unlisted',
      link: 'standard',
      encryption: 'none',
      editors: '',
    }
    expect(parseSettings(fields(untouched))).toEqual({})
    expect(parseSettings(fields({ content: 'x' }))).toEqual({})
  })

  it("are named as in the API, whatever the form's fields are called", () => {
    const chosen = { visibility: 'public', link: 'long', instant_delete: 'yes', create_gist: 'yes' }
    expect(parseSettings(fields(chosen))).toEqual({
      public: true,
      long_urls: true,
      instant_delete: true,
      create_gist: true,
    })
    expect(parseSettings(fields({ link: 'short', image_embed: 'yes' }))).toEqual({
      short_urls: true,
      image_embed: true,
    })
  })

  it('list the editors that were typed', () => {
    expect(parseSettings(fields({ editors: ' ada, grace ' }))).toEqual({ editors: ['ada', 'grace'] })
  })
})

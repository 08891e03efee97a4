import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPIRY_DAYS, EXPIRY_CHOICES } from '../../src/shared/expiry.ts'
import {
  CHOICES,
  isChoice,
  parseUsernames,
  SERVICE_DEFAULTS,
  toFormSettings,
} from '../../src/shared/form-settings.ts'
import { AUTO } from '../../src/shared/languages.ts'
import {
  CHECKBOXES,
  CHOSEN_FLAGS,
  EDITABLE_FLAGS,
  FIXED_SETTINGS,
  mapFlags,
  SETTING_NAMES,
  SETTINGS,
  STORED_FLAGS,
} from '../../src/shared/settings.ts'

describe('the table of settings', () => {
  it('derives the lists of flags', () => {
    expect(STORED_FLAGS).toEqual(['image_embed', 'instant_delete', 'encrypted', 'public', 'revisions'])
    expect(CHOSEN_FLAGS).toEqual(['image_embed', 'instant_delete', 'public', 'revisions'])
    expect(EDITABLE_FLAGS).toEqual(['image_embed', 'instant_delete', 'public', 'revisions'])
    expect(CHECKBOXES).toEqual(['image_embed', 'instant_delete'])
  })

  it('lets no edit change how a document was encrypted, its link or whether it has a gist', () => {
    expect(FIXED_SETTINGS).toEqual(['encrypted', 'password', 'long_urls', 'short_urls', 'create_gist'])
  })

  it('ignores only settings that protect nobody in a request without a credential', () => {
    const ignored = SETTING_NAMES.filter((name) => SETTINGS[name].anonymous === 'ignore')
    expect(ignored).toEqual(['expiration', 'image_embed', 'public', 'long_urls', 'short_urls'])
  })

  it('gives each flag a property and a column of its own', () => {
    for (const key of ['property', 'column'] as const) {
      const values = STORED_FLAGS.map((name) => SETTINGS[name][key])
      expect(new Set(values).size).toBe(values.length)
    }
  })

  it('maps flags to their properties', () => {
    expect(mapFlags(CHECKBOXES, (name) => name === 'instant_delete')).toEqual({
      imageEmbed: false,
      burnAfterReading: true,
    })
  })
})

describe('form settings', () => {
  it('default to what the API does without settings, but detect the language', () => {
    expect(EXPIRY_CHOICES[SERVICE_DEFAULTS.expires].days).toBe(DEFAULT_EXPIRY_DAYS)
    expect(SETTINGS.expiration.default).toBe(DEFAULT_EXPIRY_DAYS)
    expect(SERVICE_DEFAULTS).toMatchObject({
      language: AUTO,
      imageEmbed: false,
      burnAfterReading: false,
    })
  })

  it('offer every default', () => {
    for (const { options, default: value } of Object.values(CHOICES)) {
      expect(Object.keys(options)).toContain(value)
    }
  })

  it('refuse values that no form offers, names of built-in members included', () => {
    expect(isChoice('link', 'long')).toBe(true)
    for (const value of ['', 'Long', 'toString', '__proto__', null, undefined, 7, ['long']]) {
      expect(isChoice('link', value)).toBe(false)
    }
  })

  it('are complete, even if they are read from invalid values', () => {
    expect(toFormSettings({})).toEqual(SERVICE_DEFAULTS)
    expect(toFormSettings({ expires: 'eternity', image_embed: 'yes', language: 7 })).toEqual(SERVICE_DEFAULTS)
    expect(toFormSettings({ expires: 'day', instant_delete: true, language: 'go' })).toEqual({
      ...SERVICE_DEFAULTS,
      expires: 'day',
      burnAfterReading: true,
      language: 'go',
    })
  })

  it('split usernames at spaces, commas and line breaks', () => {
    expect(parseUsernames(' ada,, grace\nlinus ')).toEqual(['ada', 'grace', 'linus'])
    expect(parseUsernames(' ')).toEqual([])
  })
})

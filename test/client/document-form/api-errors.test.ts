import { describe, expect, it } from 'vitest'
import { toSaveError } from '../../../src/client/document-form/api-request.ts'

describe('an API error', () => {
  it.each([
    ['content', 'content'],
    ['language', 'language'],
    ['create_gist', 'gist'],
    ['image_embed', null],
  ])('about the setting %s is shown at the field %s', (name, field) => {
    const errors = [{ path: ['settings', name], message: 'Too long' }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors })
    expect(error).toMatchObject({ message: 'Too long.', field, code: 'bad_request' })
  })

  it('about the content as a whole is shown at the text', () => {
    const errors = [{ path: ['content'], message: 'Too short' }]
    expect(toSaveError({ code: 'bad_request', message: 'Invalid', errors }).field).toBe('content')
  })

  it('about one of the editors names them', () => {
    const errors = [{ path: ['settings', 'editors', 1], message: 'There is no such account' }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors }, ['Ada', 'Grace'])
    expect(error).toMatchObject({ message: 'There is no such account: Grace.', field: 'editors' })
  })

  it.each([
    ['expiration', 'Must be ahead', 'expires', 'Choose an expiry between 1 minute and 10 years from now.'],
    ['editors', 'Too big: expected array', 'editors', 'A document can have at most 50 editors.'],
  ])('about the setting %s is put in the words of the form', (name, message, field, expected) => {
    const errors = [{ path: ['settings', name], message }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors }, ['Ada'])
    expect(error).toMatchObject({ message: expected, field })
  })

  it('is shown with typographic apostrophes', () => {
    const errors = [{ path: ['settings', 'create_gist'], message: "GitHub isn't connected" }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors })
    expect(error.message).toBe('GitHub isn’t connected.')
  })

  it.each([
    ['unauthorized', /signed out/, null],
    ['not_found', /no longer exists/, null],
    ['content_too_large', /too large/, 'content'],
    ['rate_limited', /Your text is still here\. From the API\./, null],
    ['internal_error', /on our side/, null],
    ['unavailable', /on our side/, null],
  ])('with the code %s says what to do', (code, message, field) => {
    const error = toSaveError({ code, message: 'From the API' })
    expect(error.message).toMatch(message)
    expect(error).toMatchObject({ field, code })
  })

  it('with any other code is shown as the API put it', () => {
    expect(toSaveError({ code: 'bad_auth', message: 'Slow down' }).message).toBe('Slow down.')
  })
})

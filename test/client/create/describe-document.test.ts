import { describe, expect, it } from 'vitest'
import type { CreatedDocument } from '../../../src/client/create/create-request.ts'
import { describeDocument } from '../../../src/client/create/describe-document.ts'

const created = (changes: Partial<CreatedDocument> = {}): CreatedDocument => ({
  id: 'abcdefgh',
  gist_url: null,
  links: { formatted: 'https://regent.example/abcdefgh' },
  timestamps: { expiration: '2030-01-02T12:00:00.000Z' },
  settings: { instant_delete: false },
  ...changes,
})

describe('describeDocument', () => {
  it('says when the document expires', () => {
    expect(describeDocument(created())).toMatch(/^Expires on [123] January 2030 at \d\d:\d\d\.$/)
  })

  it('says that a document never expires', () => {
    const timestamps = { expiration: '9999-12-31T23:59:59.999Z' }
    expect(describeDocument(created({ timestamps }))).toBe('Never expires.')
  })

  it('mentions burning after reading and a gist', () => {
    const description = describeDocument(
      created({ settings: { instant_delete: true }, gist_url: 'https://gist.github.com/x' }),
    )
    expect(description).toMatch(/Will be deleted after first read\. Also saved as a gist\.$/)
  })
})

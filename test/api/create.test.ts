import { describe, expect, it } from 'vitest'
import { call, create, ORIGIN } from '../support/client.ts'

const DAY_MS = 86_400_000

describe('POST /v1/document', () => {
  it('stores a document for anyone who sends nothing but content', async () => {
    const answer = await call('POST', '/v1/document', { content: 'Hello' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    const { id, timestamps } = answer.body.data
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^[2-9b-df-hjkmnp-tv-zB-DF-HJKMNP-TV-Z]{8}$/),
        content: 'Hello',
        creator: null,
        gist_url: null,
        views: 0,
        timestamps: { creation: expect.any(String), expiration: expect.any(String) },
        links: { formatted: `${ORIGIN}/${id}`, raw: `${ORIGIN}/r/${id}` },
        settings: {
          language: 'plaintext',
          image_embed: false,
          instant_delete: false,
          encrypted: false,
          public: false,
          editors: [],
        },
      },
    })
    for (const time of Object.values(timestamps)) expect(new Date(time).toISOString()).toBe(time)
    expect(Date.parse(timestamps.expiration) - Date.parse(timestamps.creation)).toBe(7 * DAY_MS)
  })

  it('reads back', async () => {
    const { id } = await create('x')
    const answer = await call('GET', `/v1/document/${id}`)
    expect(answer.body.data.content).toBe('x')
  })
})

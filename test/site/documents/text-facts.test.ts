import { expect, it } from 'vitest'
import type { Document } from '../../../src/documents/document.ts'
import { getTextFacts } from '../../../src/site/documents/text-facts.ts'
import { account } from '../../support/accounts.ts'
import { create } from '../../support/client.ts'
import { findDocument } from '../../support/storage/find-document.ts'

const find = async (id: string) => (await findDocument(id)) as Document

it('finds out what a page says about a content once', async () => {
  const document = await find((await create('# Title\n\nan excerpt\u202E')).id)
  const facts = getTextFacts(document, '# Title\n\nan excerpt\u202E')
  expect(facts).toMatchObject({
    chunks: { lineCount: 3, linesPerChunk: null },
    derivedTitle: 'Title',
    hidden: { bidirectional: { count: 1, firstLine: 3 }, invisible: null },
  })
  expect(getTextFacts(document, '# Title\n\nan excerpt\u202E')).toBe(facts)
})

it.each([{ encrypted: true }, { instant_delete: true }])(
  'keeps nothing of a document with %j',
  async (settings) => {
    const { key } = await account()
    const document = await find((await create('x', settings, { key })).id)
    expect(getTextFacts(document, 'secret')).not.toBe(getTextFacts(document, 'secret'))
  },
)

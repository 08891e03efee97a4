import { describe, expect, it } from 'vitest'
import { encryptText } from '../../../src/shared/jwe.ts'
import { account, session } from '../../support/accounts.ts'
import { create, read } from '../../support/client.ts'
import { openForm } from '../../support/site/edit-form.ts'
import { parseForm, sendForm, visit } from '../../support/site/forms.ts'

const PASSWORD = 'right password'

/** Creates a document that the client encrypted. Returns what its creator's and its editor's browsers send. */
async function shareEncrypted({ withHash }: { withHash: boolean }) {
  const [creator, editor] = [await account(), await account()]
  const { jwe, claimHash } = await encryptText({ text: 'secret', password: PASSWORD, generated: true })
  const { id } = await create(
    jwe,
    {
      encrypted: true,
      client_encrypted: true,
      editors: [editor.username],
      ...(withHash && { claim_hash: claimHash }),
    },
    creator,
  )
  const [byCreator, byEditor] = [await session(creator), await session(editor)]
  return { id, path: `/${id}/edit`, byCreator, byEditor }
}

const JWE_TEMPLATE = '<template id="jwe">'
const REASON = 'Only the author can edit the text of this document without sending the password'

describe('the edit page of an encrypted document', () => {
  it('lets an editor’s browser decrypt it if the service can check their proof', async () => {
    const { path, byEditor } = await shareEncrypted({ withHash: true })
    const { html } = await visit(path, { headers: byEditor })
    expect(html).toContain(JWE_TEMPLATE)
    expect(html).not.toContain(REASON)
  })

  it('asks an editor for the password on the server if it cannot, and says why', async () => {
    const { path, byCreator, byEditor } = await shareEncrypted({ withHash: false })
    const { html } = await visit(path, { headers: byEditor })
    expect(html).not.toContain(JWE_TEMPLATE)
    expect(html).toContain(REASON)
    const own = await visit(path, { headers: byCreator })
    expect(own.html).toContain(JWE_TEMPLATE)
    expect(own.html).not.toContain(REASON)
  })

  it('lets an editor save with the password, without scripts, and prove it from then on', async () => {
    const { id, path, byEditor } = await shareEncrypted({ withHash: false })
    expect(await openForm({ path, headers: byEditor })).not.toHaveProperty('content')
    const opened = await sendForm(path, { password: PASSWORD }, { headers: byEditor })
    const fields = await parseForm(opened.html, path)
    expect(fields.content).toBe('secret')
    const saved = await sendForm(path, { ...fields, content: 'changed' }, { headers: byEditor })
    expect(saved.status).toBe(303)
    expect((await read(`${id}?password=${encodeURIComponent(PASSWORD)}`)).body.data.content).toBe('changed')
    expect((await visit(path, { headers: byEditor })).html).toContain(JWE_TEMPLATE)
  })
})

import { type Account, account, session } from '../accounts.ts'
import { create, edit } from '../client.ts'

export interface HistoryScene {
  readonly creator: Account
  readonly editor: Account
  /** The headers of the creator's and the editor's browser. */
  readonly headers: Record<string, string>
  readonly editorHeaders: Record<string, string>
  readonly id: string
  readonly path: string
}

/** Creates a document and edits it until it has had each of these texts, and signs its creator and an editor in. */
export async function createHistory(
  texts: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<HistoryScene> {
  const [creator, editor] = [await account(), await account()]
  const [first = '', ...edits] = texts
  const { id } = await create(first, { ...settings, editors: [editor.username] }, { key: creator.key })
  for (const content of edits) {
    const { status, body } = await edit({ id, content }, { key: creator.key })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  return {
    creator,
    editor,
    headers: await session(creator),
    editorHeaders: await session(editor),
    id,
    path: `/${id}/history`,
  }
}

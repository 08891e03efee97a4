import {
  decryptText,
  deriveClaimToken,
  type EncryptedText,
  type EncryptOptions,
  encryptText,
  JweError,
  parseJweHeader,
} from '../../shared/jwe.ts'

/** In a worker: deriving a key takes a while and would block the page. */
export type JweTask =
  | (EncryptOptions & { readonly do: 'encrypt' })
  | { readonly do: 'decrypt'; readonly jwe: string; readonly password: string }
  | { readonly do: 'derive-claim-token'; readonly header: string; readonly password: string }

export interface JweAnswer {
  readonly id: number
  readonly result: EncryptedText | string | null
  readonly error?: string
}

export async function runJweTask(task: JweTask): Promise<JweAnswer['result']> {
  switch (task.do) {
    case 'encrypt':
      return encryptText(task)
    case 'decrypt':
      return decryptText(task.jwe, task.password)
    case 'derive-claim-token':
      return deriveClaimToken(task.password, parseJweHeader(task.header))
    default:
      throw new TypeError(`Unknown task: ${JSON.stringify(task satisfies never)}`)
  }
}

export async function answerJweTask(id: number, task: JweTask): Promise<JweAnswer> {
  try {
    return { id, result: await runJweTask(task) }
  } catch (error) {
    const message =
      error instanceof JweError ? error.message : 'Something went wrong in your browser. Try again.'
    return { id, result: null, error: message }
  }
}

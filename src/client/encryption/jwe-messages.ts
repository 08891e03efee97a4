import type { EncryptedText, EncryptOptions } from '../../shared/jwe.ts'

/** What the page asks the JWE worker to do. Deriving a key takes a while and would block the page. */
export type JweTask =
  | (EncryptOptions & { readonly do: 'encrypt' })
  | { readonly do: 'decrypt'; readonly jwe: string; readonly password: string }
  | { readonly do: 'derive-claim-token'; readonly header: string; readonly password: string }

export interface JweAnswer {
  /** The id of the task. */
  readonly id: number
  readonly result: EncryptedText | string | null
  /** A message for the user if the task failed. */
  readonly error?: string
}

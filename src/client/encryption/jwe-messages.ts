/** What the page asks the JWE worker to do. Deriving a key takes a while and would block the page. */
export type JweTask =
  | {
      readonly do: 'encrypt'
      readonly text: string
      readonly password: string
      /** Whether the password was generated, so that it needs no stretching; or the JWE that it decrypted. */
      readonly generated: boolean | { readonly asIn: string }
      /** Whether the document is deleted when it is read, so that it needs a claim hash. */
      readonly burnAfterReading: boolean
    }
  | { readonly do: 'decrypt'; readonly jwe: string; readonly password: string }
  | { readonly do: 'derive-claim-token'; readonly header: string; readonly password: string }

export interface EncryptedText {
  /** The JWE in compact form. */
  readonly jwe: string
  /** The hash of the claim token, which the service stores. Null unless the document burns after reading. */
  readonly claimHash: string | null
}

export interface JweAnswer {
  /** The id of the task. */
  readonly id: number
  readonly result: EncryptedText | string | null
  /** A message for the user if the task failed. */
  readonly error?: string
}

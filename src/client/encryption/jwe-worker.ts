// Loaded at once: the worker does nothing else.
import '../../shared/jwe-cipher.lazy.ts'
import { decryptText, deriveClaimToken, encryptText, parseJweHeader } from '../../shared/jwe.ts'
import { serve } from '../shared/workers.ts'

interface WithPassword {
  readonly password: string
}

/** They run in a worker: deriving a key takes a while and would block the page. */
export const JWE_TASKS = {
  encrypt: encryptText,
  decrypt: ({ jwe, password }: WithPassword & { readonly jwe: string }) => decryptText(jwe, password),
  deriveClaimToken: async ({ header, password }: WithPassword & { readonly header: string }) =>
    deriveClaimToken(password, parseJweHeader(header)),
}

serve(JWE_TASKS)

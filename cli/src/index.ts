export { deriveClaimToken, hashClaimToken } from '../../src/shared/encryption/claim-token.ts'
export {
  decryptText,
  type EncryptedText,
  type EncryptOptions,
  encryptText,
} from '../../src/shared/encryption/encrypt-text.ts'
export { JweError } from '../../src/shared/encryption/jwe.ts'
export { buildPasswordLink, parseFragmentPassword } from '../../src/shared/encryption/password-link.ts'
export {
  type CreatedDocument,
  type EditOptions,
  type ReadOptions,
  RegentClient,
  type TokenOptions,
  type VersionedDocument,
} from './client/client.ts'
export { type ApiErrorCode, RegentError, type RegentErrorCode } from './client/errors.ts'
export { PasswordError, type ReadText, type ReadTextOptions, readText } from './client/read-text.ts'
export type { SharedText, ShareSettings } from './client/share-text.ts'
export type { CallOptions, RetryNotice, TransportOptions } from './client/transport.ts'
export type {
  Account,
  CreateRequest,
  CreateSettings,
  Creator,
  Document,
  DocumentInfo,
  DocumentPage,
  DocumentSettings,
  EditRequest,
  EditSettings,
  Greeting,
  Issue,
  ListedDocument,
  ListQuery,
  PublicQuery,
} from './client/types.ts'

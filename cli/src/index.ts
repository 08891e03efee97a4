export type { ErrorCode as ApiErrorCode, Issue } from '../../src/shared/error-codes.ts'
export {
  decryptText,
  deriveClaimToken,
  type EncryptedText,
  type EncryptOptions,
  encryptText,
  hashClaimToken,
  JweError,
} from '../../src/shared/jwe.ts'
export { buildPasswordLink, parseFragmentPassword } from '../../src/shared/password-link.ts'
export type { SharedText, ShareSettings } from './client/client.ts'
export {
  type CreatedDocument,
  type EditOptions,
  type ReadOptions,
  RegentClient,
  type TokenOptions,
  type VersionedDocument,
} from './client/client.ts'
export { RegentError, type RegentErrorCode } from './client/errors.ts'
export { PasswordError, type ReadText, type ReadTextOptions, readText } from './client/read-text.ts'
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
  File,
  Greeting,
  ListedDocument,
  ListQuery,
  NewFile,
  PublicQuery,
} from './client/types.ts'

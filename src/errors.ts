import {
  type ErrorCode,
  formatIssue,
  type Issue,
  READ_ONLY_MESSAGE,
  STATUS_BY_CODE,
} from './shared/error-codes.ts'

interface AppErrorOptions {
  /**
   * The text that pages show in place of the message, which the API's specification may fix. It's a sentence without a
   * full stop.
   */
  readonly pageMessage?: string | undefined
  readonly issues?: readonly Issue[]
  /** A line that says what to do. By default, it's the first issue. */
  readonly hint?: string
  /**
   * A sentence for somebody with curl that says what they can do, where the message doesn't. The API's answer doesn't
   * have it.
   */
  readonly nextStep?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error that the client is told about: `onError` turns it into a response. */
export class AppError extends Error {
  override readonly name: string = 'AppError'
  readonly code: ErrorCode
  readonly pageMessage: string | undefined
  readonly issues: readonly Issue[] | undefined
  readonly hint: string | undefined
  readonly nextStep: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    { pageMessage, issues, hint, nextStep, headers = {}, cause }: AppErrorOptions = {},
  ) {
    super(message, { cause })
    this.code = code
    this.pageMessage = pageMessage
    this.issues = issues
    this.hint = hint ?? issues?.slice(0, 1).map(formatIssue)[0]
    this.nextStep = nextStep
    this.headers = headers
  }

  get status(): (typeof STATUS_BY_CODE)[ErrorCode] {
    return STATUS_BY_CODE[this.code]
  }
}

/** Returns a function that creates an error. On pages, some errors have another message. */
const defineError =
  (code: ErrorCode, message: string, pageMessage?: string, nextStep?: string) =>
  (cause?: unknown): AppError =>
    new AppError(code, message, { pageMessage, nextStep, cause })

const defineForbidden = (message: string, pageMessage?: string, nextStep?: string) =>
  defineError('bad_auth', message, pageMessage, nextStep)

const SEND_PASSWORD = "Send it in a header: -H 'X-Document-Password: ...'"
const SEND_KEY_OF_CREATOR = 'Send the key of the creator'
const TRY_AGAIN = 'Try again in a moment'
const WRITE_TO_OPERATOR = 'If that is a mistake, write to the operator: see /abuse'

export function issueAt(path: readonly PropertyKey[], message: string): Issue {
  return { code: 'custom', path, message }
}

export const invalidBody = (...issues: readonly Issue[]) =>
  new AppError('bad_request', 'Invalid request body', { issues })

/** A password or a claim token is missing or wrong: the user may try again. */
export class PasswordError extends AppError {
  constructor(message: string) {
    super('bad_request', message, { nextStep: SEND_PASSWORD })
  }
}

/** Answers a request that deletes nothing, of a document that reading deletes. */
export const burnsNow = () =>
  new AppError('bad_request', 'Reading this document deletes it, so open its link', {
    nextStep: 'Open its link in a browser',
  })

export const invalidPassword = () => new PasswordError('Invalid password')

/** A client made a JWE from something other than text. */
export const contentNotText = defineError(
  'bad_request',
  "The decrypted content isn't text (UTF-8)",
  undefined,
  'Read it without the password, and decrypt it yourself',
)

export const invalidQuery = (...issues: readonly Issue[]) =>
  new AppError('bad_request', 'Invalid query', { issues })

export const invalidCursor = defineError(
  'bad_request',
  'Invalid cursor',
  undefined,
  'Leave it out to begin again',
)

export const unreadableForm = defineError(
  'bad_request',
  'The form couldn’t be read',
  undefined,
  'Check its fields and its Content-Type',
)

export const passwordRequired = () => new PasswordError('This document needs its password')

export const encryptedContentNotEditable = (issue: Issue) =>
  new AppError('bad_request', 'You can not edit an encrypted document', { issues: [issue] })

export const unauthorized = defineError(
  'unauthorized',
  'Unauthorized',
  undefined,
  "Send a valid API key: -H 'Authorization: imperial_...'",
)

export const invalidIdempotencyKey = (maxCharacters: number) =>
  new AppError('bad_request', `Idempotency-Key must have 1 to ${maxCharacters} characters`)

export const generatedPasswordNotRepeatable = () =>
  invalidBody(
    issueAt(
      ['settings', 'password'],
      "With Idempotency-Key, send a password: a repeat couldn't return a generated one",
    ),
  )

export const idempotencyKeyReused = defineError(
  'conflict',
  'This Idempotency-Key was used for another request',
  undefined,
  'Send another key with another text',
)

export const repeatedDocumentGone = defineError(
  'conflict',
  'The document that this Idempotency-Key created has been deleted or belongs to an account now',
  undefined,
  'Send another key to create it again',
)

/** A page needs an account: the site redirects to the sign-in page and back. */
export class SignInRequired extends AppError {
  constructor() {
    super('unauthorized', 'Sign in to continue', {
      nextStep: 'A program sends an API key in the header Authorization',
    })
  }
}

export const signInRequired = () => new SignInRequired()

export const accountChanged = defineError(
  'conflict',
  'You’ve signed in to another account since you opened this page',
  undefined,
  'Open it again',
)

export const accountNotConfirmed = defineForbidden(
  'Your account is not confirmed',
  'Your email address isn’t confirmed. Your account page says how to confirm it',
  'Your account page on the site says how to confirm it',
)

export const keyScopeTooSmall = (scope: string, needed: string) =>
  new AppError('bad_auth', `This API key has the scope "${scope}", but this request needs "${needed}"`, {
    nextStep: 'Create another key on your account page',
  })

export const crossSiteForm = defineForbidden(
  'This form was sent from another site',
  undefined,
  'Open the page of this site, and send its form',
)

export const rateLimited = (seconds: number, headers: Readonly<Record<string, string>> = {}) =>
  new AppError('rate_limited', `Rate limit exceeded, retry in ${seconds} seconds`, {
    pageMessage: `You’ve sent too many requests. Try again in ${seconds} seconds`,
    headers: { 'Retry-After': String(seconds), ...headers },
  })

export const tooManyWritesToday = (whose: 'account' | 'server', seconds: number, cause?: unknown) =>
  new AppError('rate_limited', `Rate limit exceeded, retry in ${seconds} seconds`, {
    pageMessage:
      whose === 'account'
        ? 'You’ve saved as often today as this server allows. Try again tomorrow'
        : 'This server can’t store more text today. Try again tomorrow',
    headers: { 'Retry-After': String(seconds) },
    cause,
  })

export const accountFull = defineForbidden(
  'Your account is full: delete documents that you no longer need',
  'Your account is full. Delete documents that you no longer need, then try again',
)

const FULL_RETRY_SECONDS = 60 * 60

export const serverFull = (cause?: unknown) =>
  new AppError('unavailable', "This server is full and can't store more text now", {
    nextStep: 'Try again in an hour',
    headers: { 'Retry-After': String(FULL_RETRY_SECONDS) },
    cause,
  })

export const anonymousDocumentsRefused = defineForbidden(
  "This server doesn't take documents without an account at the moment",
  'This server doesn’t take documents without an account at the moment. Sign in, or try again later',
  'Send an API key in the header Authorization, or try again later',
)

export const editNotAllowed = defineForbidden(
  'You are not allowed to edit this document',
  'Only the author and the editors can edit this document',
  "Send the key of its creator or an editor, or its token: -H 'X-Document-Token: ...'",
)

export const editorsChangeNotAllowed = defineForbidden(
  'Only the creator can change the editors',
  'Only the author can change the editors',
  SEND_KEY_OF_CREATOR,
)

export const creatorOnly = defineForbidden(
  'Only the creator can do that',
  'Only the author can make this document expire earlier or delete it after the first read',
  SEND_KEY_OF_CREATOR,
)

export const revisionsOfCreator = defineForbidden(
  'Only the creator can do that',
  'Only the author can delete previous versions',
  SEND_KEY_OF_CREATOR,
)

export const proofRequired = defineForbidden(
  'Prove the password to replace encrypted content',
  undefined,
  SEND_PASSWORD,
)

export const nameOfCreator = defineForbidden(
  'Only the creator can do that',
  'Only the author can change the name',
  SEND_KEY_OF_CREATOR,
)

export const nameTaken = (cause?: unknown) =>
  new AppError('conflict', 'You already have a document with this name', {
    issues: [issueAt(['settings', 'name'], 'You already have a document with this name. Choose another one')],
    cause,
  })

export const isNameTaken = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'conflict' && error.issues?.[0]?.path.at(-1) === 'name'

const ANONYMOUS_DOCUMENTS = {
  public: "An anonymous document can't be public",
  editors: "An anonymous document can't have editors",
  name: "An anonymous document can't have a name",
} as const

export const anonymousDocument = (setting: keyof typeof ANONYMOUS_DOCUMENTS) =>
  new AppError('bad_auth', ANONYMOUS_DOCUMENTS[setting], {
    nextStep: 'Create it again with an API key, or leave that out',
  })

export const wrongDocumentToken = defineForbidden(
  'Wrong document token',
  'This management link doesn’t work. It’s incomplete, or the document has been added to an account',
  'Check the token, or send the key of the account that has the document now',
)

/** A title isn't encrypted: anyone with the link could read it without the password. */
export const encryptedTitle = () =>
  invalidBody(issueAt(['settings', 'title'], "An encrypted document can't have a title: leave it out"))

export const notAnEditor = defineForbidden(
  'You are not an editor of this document',
  undefined,
  'Send the key of an editor',
)

export const notTheCreator = defineForbidden(
  'You do not own this document',
  'Only the author can delete this document',
  "Send the key of its creator, or its token: -H 'X-Document-Token: ...'",
)

/** Pages and programs learn what is blocked, but not by whom or why. */
export const blockedAddress = defineForbidden(
  'Your network is blocked from sharing on this server',
  'Your network is blocked from sharing on this server. If that’s a mistake, write to the operator',
  WRITE_TO_OPERATOR,
)

export const blockedContent = defineForbidden(
  "This content was removed from this server and can't be shared here again",
  'This text was removed from this server and can’t be shared here again',
  WRITE_TO_OPERATOR,
)

export const blockedDomain = defineForbidden(
  'The content links to a domain that is blocked on this server',
  'The text links to a site that is blocked on this server. Remove the link, then try again',
  'Remove the link, then try again',
)

export const tooManyLinks = defineError(
  'bad_request',
  'The content has too many links to check, or too many whose hosts are not plain ASCII',
  'The text has too many links to check, or too many whose addresses have special letters. Leave some of them out, or split the text',
  'Leave some of them out, or split the text',
)

/** Only the site can show that a person creates a document. Programs can't. */
export const humanCheckNeeded = defineError(
  'unauthorized',
  'Without an account, documents can only be created on the site. Send an API key in the header Authorization',
)

export const humanCheckFailed = defineForbidden(
  'The check that you are human is missing or expired',
  'Complete the check that you’re human, then try again',
  'Send an API key in the header Authorization',
)

export const documentNotFound = defineError(
  'not_found',
  'Document not found',
  undefined,
  'It may have expired or been deleted: check the address',
)

export const userNotFound = defineError('not_found', 'User not found', undefined, 'Check the username')

export const fileNotFound = defineError(
  'not_found',
  'File not found',
  undefined,
  'The address without the name has all files of the document',
)

export const routeNotFound = defineError(
  'not_found',
  'Route not found',
  undefined,
  'Check the address: / says which there are',
)

export const methodNotAllowed = (allow: string) =>
  new AppError('method_not_allowed', 'Method not allowed', {
    nextStep: `This address takes ${allow}`,
    headers: { Allow: allow },
  })

export const contentTooLarge = defineError(
  'content_too_large',
  'Content is too large',
  'The text is too large. Shorten it, then try again',
  'Shorten it, or split it',
)

export const unsupportedMediaType = () =>
  new AppError('unsupported_media_type', 'Unsupported media type', {
    hint: 'Send JSON, with the header Content-Type: application/json',
  })

const INTERNAL_ERROR_MESSAGE = 'Internal server error'

const INTERNAL_ERROR_PAGE_MESSAGE = 'Something went wrong on our side. Try again in a moment'

export const unavailable = (cause: unknown, retryAfterSeconds = 1) =>
  new AppError('unavailable', INTERNAL_ERROR_MESSAGE, {
    pageMessage: INTERNAL_ERROR_PAGE_MESSAGE,
    nextStep: TRY_AGAIN,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  })

/** Maintenance takes minutes or hours. */
const READ_ONLY_RETRY_SECONDS = 300

/** An operator has made the server read-only, so it isn't a fault. */
export class ReadOnlyError extends AppError {
  constructor() {
    super('unavailable', READ_ONLY_MESSAGE, {
      nextStep: 'Try again later',
      headers: { 'Retry-After': String(READ_ONLY_RETRY_SECONDS) },
    })
  }
}

export function toAppError(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('internal_error', INTERNAL_ERROR_MESSAGE, {
        pageMessage: INTERNAL_ERROR_PAGE_MESSAGE,
        nextStep: TRY_AGAIN,
        cause: error,
      })
}

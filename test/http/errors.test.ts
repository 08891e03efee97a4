import { describe, expect, it } from 'vitest'
import * as errors from '../../src/errors.ts'
import { formatErrorLine } from '../../src/http/answers.ts'

type Creator = {
  [Name in keyof typeof errors]: (typeof errors)[Name] extends (...values: never[]) => errors.AppError
    ? Name
    : never
}[keyof typeof errors]

const issue = errors.issueAt(['settings', 'title'], 'Send one line')

/** One of each. A new one has to be added, which the types check. */
const ERRORS = {
  accountChanged: errors.accountChanged(),
  accountFull: errors.accountFull(),
  accountNotConfirmed: errors.accountNotConfirmed(),
  anonymousDocument: errors.anonymousDocument('public'),
  anonymousDocumentsRefused: errors.anonymousDocumentsRefused(),
  blockedAddress: errors.blockedAddress(),
  blockedContent: errors.blockedContent(),
  blockedDomain: errors.blockedDomain(),
  burnsNow: errors.burnsNow(),
  contentNotText: errors.contentNotText(),
  contentTooLarge: errors.contentTooLarge(),
  creatorOnly: errors.creatorOnly(),
  crossSiteForm: errors.crossSiteForm(),
  documentNotFound: errors.documentNotFound(),
  editNotAllowed: errors.editNotAllowed(),
  editorsChangeNotAllowed: errors.editorsChangeNotAllowed(),
  encryptedContentNotEditable: errors.encryptedContentNotEditable(issue),
  encryptedTitle: errors.encryptedTitle(),
  fileNotFound: errors.fileNotFound(),
  generatedPasswordNotRepeatable: errors.generatedPasswordNotRepeatable(),
  humanCheckFailed: errors.humanCheckFailed(),
  humanCheckNeeded: errors.humanCheckNeeded(),
  idempotencyKeyReused: errors.idempotencyKeyReused(),
  invalidBody: errors.invalidBody(issue),
  invalidCursor: errors.invalidCursor(),
  invalidIdempotencyKey: errors.invalidIdempotencyKey(255),
  invalidPassword: errors.invalidPassword(),
  invalidQuery: errors.invalidQuery(issue),
  keyScopeTooSmall: errors.keyScopeTooSmall('read', 'write'),
  methodNotAllowed: errors.methodNotAllowed('GET, HEAD'),
  nameOfCreator: errors.nameOfCreator(),
  nameTaken: errors.nameTaken(),
  notAnEditor: errors.notAnEditor(),
  notTheCreator: errors.notTheCreator(),
  passwordRequired: errors.passwordRequired(),
  proofRequired: errors.proofRequired(),
  rateLimited: errors.rateLimited(9),
  repeatedDocumentGone: errors.repeatedDocumentGone(),
  revisionsOfCreator: errors.revisionsOfCreator(),
  routeNotFound: errors.routeNotFound(),
  serverFull: errors.serverFull(),
  signInRequired: errors.signInRequired(),
  toAppError: errors.toAppError(new Error('unknown')),
  tooManyLinks: errors.tooManyLinks(),
  tooManyWritesToday: errors.tooManyWritesToday('account', 9),
  unauthorized: errors.unauthorized(),
  unavailable: errors.unavailable(null),
  unreadableForm: errors.unreadableForm(),
  unsupportedMediaType: errors.unsupportedMediaType(),
  userNotFound: errors.userNotFound(),
  wrongDocumentToken: errors.wrongDocumentToken(),
} satisfies Record<Creator, errors.AppError>

/** An order, or what the address has or takes. */
const NEXT_STEP =
  /^(?:check|choose|create|delete|leave|open|read|remove|retry|send|shorten|try)\b|\b(?:sends?|write to|takes|must have|has all|says how|check)\b/

describe('an error in text', () => {
  it.each(Object.entries(ERRORS))('ends with what to do next: %s', (_, error) => {
    const line = formatErrorLine(error)
    expect(line.split(/[.:,] /).some((part) => NEXT_STEP.test(part.toLowerCase()))).toBe(true)
    expect(line).not.toMatch(/\.$|\n/)
  })
})

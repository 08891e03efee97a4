/** A small fault in the source, which the tests must notice. */
export interface Mutant {
  /** Where it is, from the repository's root. */
  readonly file: string
  /** What stands there, exactly once. */
  readonly find: string
  readonly replace: string
  /** The tests that should fail. */
  readonly tests: readonly string[]
}

const inFile =
  (file: string, tests: readonly string[]) =>
  (find: string, replace: string, only = tests) => ({
    file,
    find,
    replace,
    tests: only,
  })

const BURNS = ['test/documents/burn-races.test.ts']
const IDEMPOTENT = ['test/documents/idempotency.test.ts']
const TOKENS = ['test/api/document-tokens.test.ts', 'test/conformance/authentication.test.ts']
const MEMORY = ['test/platform/request-memory.test.ts']
const EDITS = ['test/api/edit.test.ts', 'test/conformance/edit.test.ts']

const memory = inFile('src/platform/request-memory.ts', MEMORY)
const burn = inFile('src/documents/read.ts', BURNS)
const deletion = inFile('src/documents/delete.ts', BURNS)
const statements = inFile('src/documents/write.ts', IDEMPOTENT)
const idempotent = inFile('src/documents/idempotent-create.ts', IDEMPOTENT)
const document = inFile('src/documents/document.ts', [...TOKENS, ...EDITS])
const edit = inFile('src/documents/edit.ts', EDITS)
const read = inFile('src/documents/read.ts', ['test/conformance/burn.test.ts'])
const take = inFile('src/documents/document-tokens.ts', ['test/documents/take.test.ts'])
const users = inFile('src/accounts/find-user.ts', [
  'test/api/authentication.test.ts',
  'test/api/users.test.ts',
])
const signIn = inFile('src/site/sign-in/sign-in.tsx', ['test/site/sign-in/sign-in-link.test.ts'])
const links = inFile('src/accounts/sign-in/links.ts', ['test/site/sign-in/sign-in-link.test.ts'])
const sessions = inFile('src/accounts/sessions.ts', ['test/site/sign-in/session.test.ts'])
const gitHub = inFile('src/accounts/sign-in/github.ts', ['test/site/sign-in/github.test.ts'])
const linked = inFile('src/accounts/sign-in/linked-accounts.ts', ['test/site/sign-in/github.test.ts'])
const gitHubSignIn = inFile('src/site/sign-in/github-sign-in.ts', ['test/site/sign-in/github.test.ts'])
const signInMethods = inFile('src/site/sign-in/sign-in-methods.ts', ['test/site/sign-in/github.test.ts'])
const LATE = ['test/site/sign-in/sign-in-link.test.ts']
const accountDeletion = inFile('src/accounts/user.ts', ['test/site/account/account-deletion.test.ts'])

const REVISIONS = [
  'test/api/revisions.test.ts',
  'test/conformance/revisions.test.ts',
  'test/documents/revision-races.test.ts',
]
const revisions = inFile('src/documents/revisions.ts', REVISIONS)
const restore = inFile('src/documents/revisions.ts', REVISIONS)

const REFUSALS = ['test/limits/refusals.test.ts', 'test/limits/turns.test.ts']
const WRITES = ['test/limits/writes.test.ts']
const refusals = inFile('src/documents/refusals.ts', REFUSALS)
const turns = inFile('src/documents/turns.ts', ['test/limits/turns.test.ts'])
const quotas = inFile('src/documents/quotas.ts', REFUSALS)

const SITEMAP = ['test/site/explore/sitemap.test.ts']
const publicLists = inFile('src/documents/public-lists.ts', ['test/documents/list-public.test.ts'])
const lists = inFile('src/documents/lists.ts', ['test/documents/list-public.test.ts'])

const UNDO = ['test/moderation/removal-undo.test.ts']
const undo = inFile('src/moderation/undo-statements.ts', UNDO)

const READ_ONLY = ['test/operations/read-only.test.ts']

const MISSING = ['test/documents/content.test.ts']
const missing = inFile('src/documents/missing-content.ts', MISSING)

export const MUTANTS: readonly Mutant[] = [
  // The memory of an isolate
  memory('isFirstLarge || ofNetwork + bytes <= max / 4', 'true'),
  memory('isFirstLarge || ofNetwork + bytes <= max / 4', 'isFirstLarge'),
  memory('smallOfNetwork + bytes <= max / 4', 'true'),
  memory('if (taken + Math.min(older.missingBytes, max / 2) > max) isFull = true', ''),
  memory('Math.min(older.missingBytes, max / 2)', 'older.missingBytes'),
  memory('(isWanted && this.#behindMs + waitedMs > MAX_BEHIND_MS)', 'false'),
  memory('if (hasShare || holding.network === asking.network) holding', 'holding'),
  // Public lists
  publicLists("'d.public = 1 AND", "'"),
  publicLists('d.encrypted = 0 AND ', ''),
  publicLists('d.instant_delete = 0 AND ', ''),
  publicLists(' AND d.creator_id IS NOT NULL', ''),
  publicLists("source('documents_public', 'd.hidden = 0')", "source('documents_public', 'd.hidden >= 0')"),
  publicLists('d.expires_at > ?2', '?2 > 0', SITEMAP),
  lists('d.expires_at > ', '0 < '),
  lists('u.suspended_at IS NULL AND u.leaving IS NULL AS', 'u.leaving IS NULL AS'),
  lists('u.suspended_at IS NULL AND u.leaving IS NULL AS', 'u.suspended_at IS NULL AS'),
  inFile('src/http/readers.ts', ['test/api/lists.test.ts', 'test/site/explore/explore.test.ts'])(
    'if (!c.var.config.explore) throw routeNotFound()',
    '',
  ),
  // Sign-in
  signIn("method === 'GET' && (await hasRequestedLink(c, token))", 'await hasRequestedLink(c, token)'),
  signIn('(await hasRequestedLink(c, token))', 'true'),
  links('    consumeLinkStatement(identifier),\n    session.result', '    session.result'),
  links('AND u.confirmed = 0`', 'AND 0`'),
  links('unixepoch() * 1000 < ?5', '?5 > 0', LATE),
  linked('unixepoch() * 1000 < ?7', '?7 > 0', LATE),
  linked('WHERE unixepoch() * 1000 < ?6', 'WHERE ?6 > 0', LATE),
  linked(' AND unixepoch() * 1000 < ?8', ' AND ?8 > 0', LATE),
  inFile('src/accounts/profile.ts', ['test/site/account/email-change.test.ts'])(
    `SELECT 1 FROM users WHERE id = ?1 AND email = ?2 AND \${isClaimed}`,
    'SELECT 1 FROM users WHERE id = ?1 AND email = ?2 AND ?3 IS NOT NULL',
  ),
  inFile('src/site/account/profile.tsx', ['test/limits/emails.test.ts'])(
    '{ signsIn: false }',
    '{ signsIn: true }',
  ),
  inFile('src/accounts/sign-in/email-limits.ts', ['test/limits/emails.test.ts'])(
    'WHERE full.countsRequests >= a.countsRequests',
    '',
  ),
  sessions('previousToken && (await hashSecret(previousToken))', 'previousToken && null'),
  sessions(`\${from} AND u.suspended_at IS NULL AND u.leaving IS NULL`, `\${from}`, [
    'test/site/sign-in/sign-in.test.ts',
  ]),
  gitHub('candidate.verified && isAscii(candidate.email)', 'isAscii(candidate.email)'),
  gitHub('candidate.verified && isAscii(candidate.email)', 'candidate.verified', [
    'test/accounts/github.test.ts',
  ]),
  linked("if (account.confirmed === 0) return 'account_not_linked'", ''),
  linked("if (account?.maySignIn === 0) return 'suspended'", ''),
  linked("if (row.userId !== userId) return 'account_already_linked_to_different_user'", '', [
    'test/site/account/github-connection.test.ts',
  ]),
  signInMethods('state && (await getSignedCookie(c, requireAuthSecret(c), name)) === state', 'state'),
  signInMethods("c.req.method === 'GET'", 'true'),
  gitHubSignIn('(await askSession(c, NOTHING)).user?.id !== link.userId', 'false', [
    'test/site/account/github-connection.test.ts',
  ]),
  // Revisions
  revisions('!found || !mayEdit(found.document, viewer)', '!found'),
  restore('passwordProven: encrypted && password !== undefined', 'passwordProven: encrypted'),
  restore('await current.decrypt(password)', 'void password'),
  restore('    checkPrecondition(document)\n', ''),
  restore('restores: number,', 'restores: undefined,'),
  inFile('src/documents/revisions.ts', REVISIONS)(
    'if (!isCreator(document, viewer)) throw revisionsOfCreator()',
    '',
  ),
  inFile('src/documents/revisions.ts', REVISIONS)(
    `document_id = ?1 AND EXISTS (\${IS_CREATOR})`,
    'document_id = ?1 AND (?2 IS NOT NULL OR ?3 IS NOT NULL)',
  ),
  inFile('src/documents/cleanup.ts', ['test/documents/revisions.test.ts'])(
    'WHERE document_id = ?1 AND number = ?2 AND content_key = ?3`,',
    'WHERE document_id = ?1 AND number = ?2 AND ?3 IS NOT NULL`,',
  ),
  // Burns and deletions
  burn('id = ?1 AND version = ?2 AND instant_delete = 1', 'id = ?1 AND instant_delete = 1'),
  burn('AND unixepoch() * 1000 < ?5', 'AND ?5 > 0'),
  burn(
    "['DELETE FROM documents WHERE id = ?1 AND burn_mark = ?2', document.id, mark]",
    "['DELETE FROM documents WHERE id = ?1 AND (burn_mark = ?2 OR 1)', document.id, mark]",
  ),
  deletion(
    '(creator_id = ?2 OR token_hash = ?3) AND instant_delete = 0',
    '(?2 IS NOT NULL OR ?3 IS NOT NULL) AND instant_delete = 0',
    ['test/documents/take.test.ts'],
  ),
  burn('WHERE content_key = ?1 AND burn_mark = ?2', 'WHERE content_key = ?1 AND ?2 IS NOT NULL'),
  deletion(
    'FROM detached_contents WHERE burn_mark = ?1',
    'FROM detached_contents WHERE burn_mark = ?1 AND FALSE',
  ),
  deletion(
    'AND +creator_id = ?2\n        RETURNING content_key',
    'AND ?2 IS NOT NULL\n        RETURNING content_key',
    ['test/documents/delete-several.test.ts'],
  ),
  read('document.burnAfterReading && !mayEdit', 'document.burnAfterReading && mayEdit'),
  read('burns && document.encrypted && password', 'document.encrypted && !burns && password'),
  read(
    '!(await provesPassword(token, document.claim.hash))',
    'await provesPassword(token, document.claim.hash)',
  ),
  inFile('src/documents/read.ts', BURNS)('cache: !burnAfterReading,', 'cache: true,'),
  inFile('src/documents/delete.ts', [...TOKENS, 'test/api/edit.test.ts'])(
    'if (!isCreator(document, viewer)) throw notTheCreator()',
    '',
  ),

  // Creates and edits
  inFile('src/documents/create.ts', BURNS)('if (!isRepeated) discardContent()', 'discardContent()'),
  statements(
    'WHERE id = ?1 AND version = ?2 AND expires_at > ?3`',
    'WHERE id = ?1 AND expires_at > ?3 AND ?2 <> 0`',
    ['test/documents/concurrency.test.ts'],
  ),
  document('WHERE d.id = ?1 AND d.expires_at > ?2`', 'WHERE d.id = ?1 AND ?2 > 0`', [
    'test/api/read.test.ts',
  ]),
  statements(`WHERE (unixepoch() * 1000 < \${DEADLINE}`, `WHERE (\${DEADLINE} > 0`, BURNS),
  statements(`AND version = \${getParameter('version')}))`, 'AND 0))', ['test/documents/create.test.ts']),
  statements('WHERE version = excluded.version', 'WHERE 1', ['test/documents/create.test.ts']),
  read("VISIBLE = ' AND u.suspended_at IS NULL'", "VISIBLE = ''", ['test/moderation/suspension.test.ts']),
  edit('if (after.version !== write.version && !movedHere)', 'if (after.version !== write.version)', BURNS),
  edit('if (expiresEarlier || startsToBurn) throw creatorOnly()', 'if (startsToBurn) throw creatorOnly()'),
  edit('if (expiresEarlier || startsToBurn) throw creatorOnly()', 'if (expiresEarlier) throw creatorOnly()'),
  edit('if (!mayEdit(current, viewer)) throw refuse()', '', ['test/documents/concurrency.test.ts']),
  edit('symmetricDifference(currentNames).size > 0', 'symmetricDifference(currentNames).size > 99', EDITS),
  edit("if (edit.public && !document.public) throw anonymousDocument('public')", '', TOKENS),
  edit("!(await provesPassword(edit.claimToken ?? '', ", "(await provesPassword(edit.claimToken ?? '', ", [
    'test/api/editor-encryption.test.ts',
  ]),

  // Permissions
  document(
    'document.tokenHash !== null && document.tokenHash === viewer?.tokenHash',
    'document.tokenHash !== null',
    TOKENS,
  ),
  document(
    'document.tokenHash !== null && document.tokenHash === viewer?.tokenHash',
    'document.tokenHash === viewer?.tokenHash',
  ),
  document('document.creator !== null && document.creator.id === viewer?.id', 'document.creator !== null'),
  document('some((editor) => editor.id === viewer?.id)', 'some(() => true)', [
    'test/api/authentication.test.ts',
  ]),
  take('documents.token_hash = json_each.value ->> 1', 'documents.token_hash IS NOT NULL'),
  take('documents.expires_at > ?3\n    AND EXISTS', '?3 > 0 AND EXISTS'),
  take('...addCheckStatements(quotas, creatorId),', ''),
  inFile('src/documents/quotas.ts', ['test/documents/take.test.ts'])(", condition: 'changes() > 0'", ''),
  take('WHERE id = ?2 AND suspended_at IS NULL AND leaving IS NULL', 'WHERE id = ?2'),
  users('WHERE s.token_hash = ?1 AND s.expires_at > ?2 AND', 'WHERE s.token_hash = ?1 AND ?2 > 0 AND', [
    'test/site/account/account-page.test.ts',
    'test/site/sign-in',
  ]),
  users('AND (k.expires_at IS NULL OR k.expires_at > ?2)', 'AND ?2 > 0', [
    'test/api/authentication.test.ts',
    'test/site/account/api-keys.test.ts',
  ]),
  users('AND u.suspended_at IS NULL AND u.leaving IS NULL`,\n      keyHash', '`,\n      keyHash', [
    'test/api/authentication.test.ts',
    'test/moderation/suspension.test.ts',
    'test/site/account/account-deletion.test.ts',
  ]),
  inFile('src/http/identity.ts', ['test/api/authentication.test.ts'])(
    'if (account && !includesScope(account.scope, scope)) throw',
    'if (account && includesScope(account.scope, scope)) throw',
  ),
  inFile('src/http/permissions.ts', ['test/api/authentication.test.ts', 'test/api/create.test.ts'])(
    'if (!user.confirmed) throw accountNotConfirmed()',
    '',
  ),

  inFile('src/api/documents.ts', ['test/limits/passwords.test.ts'])(
    'body.password || body.claim_token || provesByHash',
    'body.password || provesByHash',
  ),
  inFile('src/api/documents.ts', ['test/limits/passwords.test.ts'])(
    'body.password || body.claim_token || provesByHash',
    'body.password || body.claim_token',
  ),

  // Idempotency keys
  statements(
    `WHERE key_hash = \${KEY_HASH} AND expires_at > \${getParameter('created_at')})`,
    `WHERE key_hash = \${KEY_HASH} AND 0)`,
  ),
  idempotent('WHERE idempotency_keys.expires_at <= ?8', 'WHERE 0 AND ?8'),
  idempotent('WHERE key_hash = ?1 AND expires_at > ?2`', 'WHERE key_hash = ?1 AND ?2 > 0`'),
  idempotent('if (first.requestHash !== requestHash) throw idempotencyKeyReused()', ''),
  idempotent('!document || !isCreator(document, viewer)', '!document'),
  idempotent('document.contentKey === first.contentKey ? content.text : await current()', 'content.text'),
  inFile('src/documents/create.ts', IDEMPOTENT)(
    'if (inserted.first.contentKey !== contentKey) discardContent()',
    '',
  ),
  idempotent(`\\0\${sender}\`)`, '\\0`)'),

  // What is refused before content is stored, and the writes of a day
  refusals('if (others.length === 0) {', 'if (true) {'),
  refusals('if (isRemembered) await check()', ''),
  refusals('ahead(others.length + 1)', 'ahead(1)'),
  turns('keys.some((key) => this.#isTaken(key))', 'false'),
  refusals('isForEverybody(refusal) ? EVERYBODY : writer', 'writer'),
  quotas('writesPerDay: toShare(server.writesPerDay)', 'writesPerDay: server.writesPerDay', WRITES),
  quotas('leave(documents, added.documents)', 'leave(documents, 0)'),
  quotas('leave(writesPerDay, added.writes)', 'leave(writesPerDay, 0)'),
  quotas('if (storesContent) {', 'if (false) {', WRITES),
  quotas('if (refusal) throw toRefusalError(refusal, now)', ''),
  edit('changed || getContentExpiry(expiresAt) > contentExpiresAt', 'changed', WRITES),
  edit('this.#unused.text !== text', 'true', REFUSALS),
  edit('if (isRepeated) uploads.keep()', '', REVISIONS),
  inFile('src/documents/content-store.ts', WRITES)('2 * (expiresAt - now)', 'expiresAt - now'),
  inFile('src/documents/write.ts', WRITES)(' || write.expiresAt > from.expiresAt', ''),

  // Accounts and moderation
  accountDeletion('AND NOT EXISTS (SELECT 1 FROM documents WHERE creator_id = users.id)', ''),
  accountDeletion('AND leaving IS NOT NULL', ''),
  inFile('src/moderation/removal-statements.ts', ['test/moderation/removals.test.ts'])(
    `DELETE FROM documents WHERE \${recorded} AND`,
    `DELETE FROM documents WHERE \${selected} AND ?2 > 0 AND ?3 <> '' AND`,
  ),
  undo('WHERE id = ?1 AND kept_until > ?3 AND', 'WHERE id = ?1 AND ?3 > 0 AND'),
  undo('unixepoch() * 1000 < ?4`', '?4 > 0`'),
  inFile('src/documents/removed-documents.ts', UNDO)(
    'AND (creator_id = ?2 OR token_hash = ?3)',
    'AND ?2 IS NOT ?3',
  ),
  inFile('src/platform/database.ts', READ_ONLY)('this.#readOnly && !statements.every(isRead)', 'false'),
  inFile('src/http/limits.ts', ['test/limits'])("ifBroken === 'refuse'", "ifBroken !== 'refuse'"),
  inFile('src/scheduled.ts', ['test/operations/scheduled-jobs.test.ts'])(
    'run(() => Date.now() < jobStartedAt + BUDGET_MS)',
    'run(() => Date.now() < startedAt + BUDGET_MS)',
  ),
  missing('AND content_key = missing_contents.content_key AND expires_at > ?1', 'AND expires_at > ?1'),
  missing(
    'AND content_key = missing_contents.content_key AND expires_at > ?1',
    'AND content_key = missing_contents.content_key AND ?1 > 0',
  ),
  inFile('src/documents/missing-content.ts', MISSING)('storedAt <= now - ARRIVAL_MS && ', ''),
  inFile('src/documents/cleanup-state.ts', ['test/documents/cleanup-brake.test.ts'])(
    'orphaned <= usual && orphaned * 2 <= checked',
    'orphaned <= usual || orphaned * 2 <= checked',
  ),
  inFile('src/documents/cleanup-state.ts', ['test/documents/cleanup-brake.test.ts'])(
    '(state.trustedAt ?? 0) < marker.trustedAt',
    'false',
  ),
]

/** The trigger that the first commit with a fixture didn't have. */
const LATER_TRIGGER = 'users_gists_left'

/**
 * Returns what makes the database of an earlier commit.
 *
 * @param schema the statements of the first migration.
 * @param rows the statements of the commit's fixture.
 */
export function getOldStatements(
  commit: string,
  schema: readonly string[],
  rows: readonly string[],
): string[] {
  const isTrigger = (statement: string) => statement.startsWith('CREATE TRIGGER')
  const triggers = schema.filter(isTrigger)
  return [
    ...schema.filter((statement) => !isTrigger(statement)),
    // The rows have their effects already.
    ...rows,
    ...(commit === '6f0127f' ? triggers.filter((statement) => !statement.includes(LATER_TRIGGER)) : triggers),
  ]
}

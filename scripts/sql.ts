/** The statements of `schema.sql`, without comments; those of a trigger stay together. */
export const splitStatements = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*\n(?=\s*(?:CREATE|$))/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

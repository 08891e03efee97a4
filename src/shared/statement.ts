export type SqlParameter = string | number | null

/** One SQL statement with its parameters. In a file of its own, without Workers types, for the command line. */
export type Statement = readonly [sql: string, ...parameters: SqlParameter[]]

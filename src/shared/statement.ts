export type SqlParameter = string | number | null

/** One SQL statement with its parameters. The command line imports this file, which therefore has no types of Workers. */
export type Statement = readonly [sql: string, ...parameters: SqlParameter[]]

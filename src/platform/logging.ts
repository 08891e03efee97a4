interface LoggedError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly cause?: LoggedError | undefined
}

/** Returns an error with its causes, for a line of the log. */
export function toLogged(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: String(error) }
  const { name, message, stack, cause } = error
  return { name, message, stack, cause: cause === undefined ? undefined : toLogged(cause) }
}

/** What the log says about a request, gathered while it's answered. */
export interface RequestLog {
  d1Calls: number
  d1Ms: number
  kvCalls: number
  kvMs: number
  /** The error of the server that the request failed with. */
  fault: Error | null
}

/** Logs a line of JSON. Never pass URLs, headers or bodies: they contain passwords and keys. */
export const logLine = (event: string, members: object): void =>
  console.log(JSON.stringify({ event, ...members }))

/** Logs a line of JSON as an error. */
export const logFault = (event: string, members: object): void =>
  console.error(JSON.stringify({ event, ...members }))

/** Logs a server error with its causes, as one line of JSON. */
export const logError = (event: string, requestId: string, error: unknown): void =>
  logFault(event, { request_id: requestId, error: toLogged(error) })

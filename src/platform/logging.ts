interface LoggedError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly cause?: LoggedError | undefined
}

function toLogged(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: String(error) }
  const { name, message, stack, cause } = error
  return { name, message, stack, cause: cause === undefined ? undefined : toLogged(cause) }
}

/**
 * Logs a server error with its causes, as one line of JSON. Never pass URLs, headers or bodies: they contain passwords
 * and keys.
 */
export function logError(event: string, requestId: string, error: unknown): void {
  console.error(JSON.stringify({ event, request_id: requestId, error: toLogged(error) }))
}

interface LoggedError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly cause?: LoggedError | undefined
}

export function toLogged(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: String(error) }
  const { name, message, stack, cause } = error
  // Some errors name as their cause what was sent, such as the query of a URL.
  return { name, message, stack, cause: cause instanceof Error ? toLogged(cause) : undefined }
}

export interface RequestLog {
  d1Calls: number
  d1Ms: number
  kvCalls: number
  kvMs: number
  fault: Error | null
  /**
   * The document that the request was about, and the account that made it, as far as somebody looked. The line has
   * hashes of their ids.
   */
  documentId: string | null
  accountId: string | null
}

/** Never pass URLs, headers or bodies: they contain passwords and keys. */
export const logLine = (event: string, members: object): void =>
  console.log(JSON.stringify({ event, ...members }))

export const logFault = (event: string, members: object): void =>
  console.error(JSON.stringify({ event, ...members }))

export const logError = (event: string, requestId: string, error: unknown): void =>
  logFault(event, { request_id: requestId, error: toLogged(error) })

/** A row of Analytics Engine. docs/operating.md lists the columns. */
interface DataPoint extends Partial<Omit<RequestLog, 'fault' | 'documentId' | 'accountId'>> {
  readonly kind: 'request' | 'scheduled'
  /** The pattern of the route, or the name of the job. */
  readonly name: string
  readonly method?: string
  readonly frontEnd?: string
  /** "ok", an error code, or "failed", "refused" or "missing" for a job. */
  readonly outcome: string
  readonly durationMs: number
  readonly status?: number
  readonly missing?: number
}

/** Does nothing if the operator hasn't set up Analytics Engine. */
export function writeDataPoint(dataset: AnalyticsEngineDataset | undefined, point: DataPoint): void {
  const { kind, name, method = '', frontEnd = '', outcome, durationMs, status = 0 } = point
  const { d1Calls = 0, d1Ms = 0, kvCalls = 0, kvMs = 0, missing = 0 } = point
  try {
    dataset?.writeDataPoint({
      indexes: [name],
      blobs: [kind, name, method, frontEnd, outcome],
      doubles: [durationMs, status, d1Calls, d1Ms, kvCalls, kvMs, missing],
    })
  } catch (error) {
    // A statistic that is missing mustn't make a request fail.
    logError('data point not written', '', error)
  }
}

import { logError } from './logging.ts'

/** A request or a run of a scheduled job, as Analytics Engine stores it. docs/operating.md lists the columns. */
interface DataPoint {
  readonly kind: 'request' | 'scheduled'
  /** The pattern of the route, or the name of the job. */
  readonly name: string
  readonly method?: string
  readonly frontEnd?: string
  /** "ok", an error code, or "failed", "refused" or "missing" for a job. */
  readonly outcome: string
  readonly durationMs: number
  readonly status?: number
  readonly d1Calls?: number
  readonly d1Ms?: number
  readonly kvCalls?: number
  readonly kvMs?: number
  /** How much content of documents and revisions is known to be missing. */
  readonly missing?: number
}

/** Writes a data point, without waiting for it. Does nothing if the operator hasn't set up Analytics Engine. */
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

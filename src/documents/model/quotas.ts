/** Upper bounds of what is stored; null for none. */
interface Quota {
  readonly documents: number | null
  readonly bytes: number | null
  /** Documents created on one day (UTC), including deleted ones. */
  readonly createsPerDay: number | null
}

export interface Quotas {
  readonly account: Quota
  readonly server: Quota
}

/** The share of the server's quotas that anonymous documents may use: a flood of them leaves room for accounts. */
const ANONYMOUS_SHARE = 0.9

const toShare = (max: number | null): number | null => max && Math.floor(max * ANONYMOUS_SHARE)

/** Returns the quotas of the server for documents of an account, or for anonymous ones. */
export const getServerQuota = ({ server }: Quotas, isAnonymous: boolean): Quota =>
  isAnonymous
    ? {
        documents: toShare(server.documents),
        bytes: toShare(server.bytes),
        createsPerDay: toShare(server.createsPerDay),
      }
    : server

const DAY_MS = 86_400_000

/** Returns the day of a time (UTC), in days since 1970. */
export const getDay = (now: number): number => Math.floor(now / DAY_MS)

/** Returns the seconds until the next day begins (UTC). */
export const getSecondsUntilTomorrow = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / 1_000)

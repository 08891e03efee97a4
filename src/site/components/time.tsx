import { formatAge, formatDateTime } from '../../shared/format.ts'

/** An instant, in milliseconds since 1970. */
export const Time = ({ at }: { at: number }) => (
  <time datetime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
)

interface AgeProps {
  readonly at: number
  readonly now: number
}

/** A time as an age (“3 hours ago”), which a script keeps up to date, and as a date. */
export const Age = ({ at, now }: AgeProps) => (
  <>
    <span class="age">
      <span data-age={at}>{formatAge(at, now)}</span>
      {', '}
    </span>
    <Time at={at} />
  </>
)

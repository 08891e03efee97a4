import { formatAge, formatDateTime } from '../../shared/format.ts'

/** An instant, in milliseconds since 1970. */
export const Time = ({ at }: { at: number }) => (
  <time datetime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
)

interface AgeProps {
  readonly at: number
  readonly now: number
}

/**
 * A time as an age ("3 hours ago"), which a script keeps up to date, with the exact time as its tooltip. Without
 * scripts and on paper, where an age would soon be wrong, the exact time is displayed instead.
 */
export const Age = ({ at, now }: AgeProps) => (
  <time class="age" datetime={new Date(at).toISOString()} data-tip={formatDateTime(at)} tabindex={0}>
    <span data-age={at}>{formatAge(at, now)}</span>
    <span class="exact">{formatDateTime(at)}</span>
  </time>
)

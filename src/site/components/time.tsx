import { formatAge, formatDateTime } from '../../shared/format.ts'

/** An instant, in milliseconds since 1970. */
export const Time = ({ at }: { at: number }) => (
  <time datetime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
)

interface AgeProps {
  readonly at: number
  readonly now: number
}

/** An instant as it is to who looks now, and exactly. */
export const Age = ({ at, now }: AgeProps) => (
  <>
    <span class="age">
      <span data-age={at}>{formatAge(at, now)}</span>
      {', '}
    </span>
    <Time at={at} />
  </>
)

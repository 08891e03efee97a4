import type { Operator } from '../../config.ts'

const Email = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>

/** Who runs this server, as part of a sentence. */
export const OperatorName = ({ operator: { name, url } }: { operator: Operator }) => {
  const shown = name ?? url
  if (shown === null) return <span>the operator of this server</span>
  return url === null ? <bdi>{shown}</bdi> : <a href={url}>{shown}</a>
}

/** Says how to reach the operator. */
export const Contact = ({ operator: { contactEmail, url } }: { operator: Operator }) => {
  if (contactEmail !== null)
    return (
      <p>
        Write to <Email address={contactEmail} />.
      </p>
    )
  return url === null ? (
    <p>The operator of this server hasn’t published an email address.</p>
  ) : (
    <p>
      You can reach the operator through <a href={url}>their website</a>.
    </p>
  )
}

/** Says how to report abuse. */
export const AbuseContact = ({ operator: { abuseEmail } }: { operator: Operator }) => (
  <p>
    To report a document, use “Report” on its page. You don’t need an account.{' '}
    <a href="/abuse">What happens then</a>.
    {abuseEmail !== null && (
      <>
        {' '}
        You can also write to <Email address={abuseEmail} />.
      </>
    )}
  </p>
)

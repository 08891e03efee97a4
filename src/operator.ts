/** Who runs the server, for its pages. Each part is null if the operator hasn't set it. */
export interface Operator {
  readonly name: string | null
  /** The operator's own website. */
  readonly url: string | null
  readonly contactEmail: string | null
  /** Where to report abuse; the contact address unless the operator set another. */
  readonly abuseEmail: string | null
  /** The operator's own pages, which replace the ones that Regent comes with. */
  readonly privacyUrl: string | null
  readonly termsUrl: string | null
}

/** The variables about the operator, unchecked. */
export interface OperatorVariables {
  readonly OPERATOR_NAME?: string | undefined
  readonly OPERATOR_URL?: string | undefined
  readonly CONTACT_EMAIL?: string | undefined
  readonly ABUSE_EMAIL?: string | undefined
  readonly PRIVACY_URL?: string | undefined
  readonly TERMS_URL?: string | undefined
}

type Name = keyof OperatorVariables

/** Catches typos. It can't tell whether email arrives. */
const EMAIL = /^[^\s@<>,;:?&]+@[^\s@<>,;:?&.]+(?:\.[^\s@<>,;:?&.]+)+$/

function parseEmail(variables: OperatorVariables, name: Name): string | null {
  const email = variables[name]?.trim() || null
  if (email !== null && !EMAIL.test(email)) throw new Error(`${name} is not an email address: "${email}"`)
  return email
}

/** Returns the address of a website. Pages link to it, so no other scheme is allowed. */
function parseWebsite(variables: OperatorVariables, name: Name): string | null {
  const website = variables[name]?.trim() || null
  if (website !== null && !(URL.canParse(website) && /^https?:$/.test(new URL(website).protocol))) {
    throw new Error(`${name} is not an http or https URL: "${website}"`)
  }
  return website
}

/** Parses the variables about the operator. Throws an Error that names the first invalid one. */
export function parseOperator(variables: OperatorVariables): Operator {
  const contactEmail = parseEmail(variables, 'CONTACT_EMAIL')
  return {
    name: variables.OPERATOR_NAME?.trim() || null,
    url: parseWebsite(variables, 'OPERATOR_URL'),
    contactEmail,
    abuseEmail: parseEmail(variables, 'ABUSE_EMAIL') ?? contactEmail,
    privacyUrl: parseWebsite(variables, 'PRIVACY_URL'),
    termsUrl: parseWebsite(variables, 'TERMS_URL'),
  }
}

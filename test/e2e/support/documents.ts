import type { Service } from './service.ts'

/** The key of the account that a fresh local service begins with. */
export const demoKey = (service: Service): string =>
  /imperial_[A-Za-z0-9]{40}/.exec(service.printed())?.[0] ?? ''

export interface Created {
  readonly id: string
  readonly content: string
  readonly password?: string
  readonly views: number
  readonly timestamps: { readonly expiration: string }
  readonly settings: object
}

/** Asks the API for something about documents, as the account whose key it is. Throws what it refuses. */
export async function askDocuments(
  { base }: Service,
  key: string,
  path: string,
  method: string,
  body?: object,
): Promise<Created> {
  const response = await fetch(`${base}/v1/document${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: key },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: Created }).data
}

export const createDocument = (service: Service, key: string, content: string, settings: object = {}) =>
  askDocuments(service, key, '', 'POST', { content, settings })

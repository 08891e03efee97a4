import type { Service } from './service.ts'

export interface Created {
  readonly id: string
  readonly content: string
  readonly password?: string
  readonly views: number
  readonly timestamps: { readonly expiration: string }
  readonly settings: object
}

/** Sends a request to the document API. Throws an Error if it fails. */
export async function requestDocument(
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
  requestDocument(service, key, '', 'POST', { content, settings })

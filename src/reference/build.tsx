import { createOpenApiDocument } from '../api/openapi/document.ts'
import { Reference } from './reference.tsx'

/** The contents of the files that `scripts/build-client.ts` writes. */
export const openApiJson = `${JSON.stringify(createOpenApiDocument())}\n`
export const referenceHtml = String(<Reference />)

import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Document } from '../documents/document.ts'
import type { AppEnv } from '../env.ts'
import { type AppError, invalidBody, issueAt, toAppError } from '../errors.ts'
import { logFault } from '../faults.ts'

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The Document of the interface, with its content. */
export function documentBody(
  document: Document,
  { content, views, siteUrl }: { content: string; views: number; siteUrl: string },
) {
  const { creator } = document
  return {
    id: document.id,
    content,
    creator: creator && {
      documents_made: creator.documentsMade,
      id: creator.id,
      username: creator.username,
      flags: creator.flags,
      icon: creator.icon ?? `${siteUrl}/icons/${creator.id}.svg`,
    },
    gist_url: document.gistUrl,
    views,
    timestamps: { creation: isoTime(document.createdAt), expiration: isoTime(document.expiresAt) },
    links: { formatted: `${siteUrl}/${document.id}`, raw: `${siteUrl}/r/${document.id}` },
    settings: {
      language: document.language,
      image_embed: document.imageEmbed,
      instant_delete: document.instantDelete,
      encrypted: document.encrypted,
      public: document.public,
      editors: document.editors.map((editor) => editor.username),
    },
  }
}

export const success = <Data>(data: Data) => ({ success: true, data }) as const

function errorBody({ code, message, issues }: AppError) {
  return { success: false, error: { code, message, ...(issues && { errors: issues }) } } as const
}

/** Answers whatever was thrown in the envelope; a server fault goes to the log with its cause. */
export const answerError: ErrorHandler<AppEnv> = (thrown, c) => {
  // Hono's validator throws it for a body that is not JSON, and nothing else here does.
  const error =
    thrown instanceof HTTPException ? invalidBody(issueAt([], 'The body is not JSON')) : toAppError(thrown)
  if (error.status >= 500) logFault('request failed', c.var.requestId, error)
  return c.json(errorBody(error), error.status as ContentfulStatusCode, {
    ...error.headers,
    'Cache-Control': 'no-store',
    // Also where the fault was older than the middleware that allows any origin.
    'Access-Control-Allow-Origin': '*',
  })
}

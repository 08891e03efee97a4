import type { ReportWebhook } from '../config.ts'
import type { EmailSender } from '../platform/email.ts'

/** What the operator learns about a reported document. Neither its title nor what anyone wrote. */
export interface ReportNotice {
  /** Unique to this notice: the same when it's sent again. */
  readonly id: string
  readonly documentId: string
  readonly reports: number
  readonly reasons: readonly string[]
  /** Where admins decide; null if the server doesn't know its own address. */
  readonly url: string | null
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Sends a notice. Throws if it can't be sent. */
export type ReportNotifier = (notice: ReportNotice) => Promise<void>

const WEBHOOK_TIMEOUT_MS = 10_000

const encoder = new TextEncoder()

/** Returns the headers that prove who sent a webhook (https://www.standardwebhooks.com). */
async function signWebhook(key: Uint8Array<ArrayBuffer>, id: string, seconds: number, body: string) {
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', hmac, encoder.encode(`${id}.${seconds}.${body}`))
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': String(seconds),
    'Webhook-Signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}

async function sendWebhook({ url, key }: ReportWebhook, notice: ReportNotice): Promise<void> {
  const { id, documentId, reports, reasons, now } = notice
  const body = JSON.stringify({
    type: 'document.reported',
    timestamp: new Date(now).toISOString(),
    data: { document_id: documentId, reports, reasons, url: notice.url },
  })
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'regent',
      ...(await signWebhook(key, id, Math.floor(now / 1000), body)),
    },
    body,
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the webhook for reports answered ${response.status}`)
}

async function sendNotice(sendEmail: EmailSender, to: string, notice: ReportNotice): Promise<void> {
  const { documentId, reports, reasons, url } = notice
  const count = `${reports} ${reports === 1 ? 'report' : 'reports'}`
  const lines = [
    `Document ${documentId} has ${count}: ${reasons.join(', ')}.`,
    url === null ? 'Open /moderation on your site to decide.' : `Decide: ${url}`,
    'You get at most one email an hour about a document.',
  ]
  await sendEmail({
    to,
    subject: `Reported document ${documentId}`,
    text: lines.join('\n\n'),
    // Ids, reasons and the site's own address contain nothing that needs escaping.
    html: lines.map((line) => `<p>${line}</p>`).join('\n'),
  })
}

interface NotifierOptions {
  readonly email: string | null
  readonly webhook: ReportWebhook | null
  /** Null if this server sends no email. */
  readonly sendEmail: EmailSender | null
}

/** Returns what tells the operator about reports; null if they want to hear nothing. */
export function createReportNotifier({ email, webhook, sendEmail }: NotifierOptions): ReportNotifier | null {
  const sendsEmail = email !== null && sendEmail !== null
  if (!sendsEmail && webhook === null) return null
  return async (notice) => {
    await Promise.all([
      webhook && sendWebhook(webhook, notice),
      sendsEmail && sendNotice(sendEmail, email, notice),
    ])
  }
}

import type { ChildProcess } from 'node:child_process'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { CommandError } from '../support/wrangler.ts'
import { isNetworkAddress, type Listening } from './options.ts'

const START_TIMEOUT_MS = 60_000

const startFailed = () => new CommandError("The service didn't start. See the output above.")

/** Returns the port in wrangler's message that it is listening; null for every other message. */
function readPort(message: unknown): number | null {
  try {
    const { event, port } = JSON.parse(String(message))
    return event === 'DEV_SERVER_READY' ? port : null
  } catch {
    return null
  }
}

/**
 * Waits until the process says over its IPC channel that it listens there. An answer on the port would prove
 * nothing: another program may have taken it since we looked. In that case, the process exits without the message.
 *
 * @throws CommandError if the process exits, listens on another port or takes too long.
 */
export async function waitUntilListening(
  child: ChildProcess,
  { ip, port }: Pick<Listening, 'ip' | 'port'>,
  timeoutMs = START_TIMEOUT_MS,
): Promise<void> {
  const done = new AbortController()
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(startFailed()), timeoutMs)
      const end = () => reject(startFailed())
      const listen = (message: unknown) => {
        const announced = readPort(message)
        // On an address of a network, it also listens on a loopback address, and announces the port of that.
        if (announced === port || (announced !== null && isNetworkAddress(ip))) resolve()
        else if (announced !== null) reject(startFailed())
      }
      child.once('error', end).once('exit', end).on('message', listen)
      done.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        child.off('error', end).off('exit', end).off('message', listen)
      })
    })
  } finally {
    done.abort()
  }
}

interface ServiceAnswer {
  readonly status: number
  readonly text: string
}

interface ServiceRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/**
 * Sends a request to the service that this process has started. `fetch` can't accept the certificate that wrangler signs
 * itself, nor set the Host.
 */
export async function requestService(
  url: string,
  { method = 'GET', headers = {}, body = '', signal }: ServiceRequest,
): Promise<ServiceAnswer> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, rejectUnauthorized: false }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, text: bytes.toString('utf8') }),
        reject,
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Waits until the service answers requests. Throws a CommandError if it exits or takes too long. */
export async function waitUntilReady(base: string, ended: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!ended.aborted && Date.now() < deadline) {
    const answer = await requestService(`${base}/v1`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    )
    if (answer?.status === 200) return
    await new Promise((wait) => setTimeout(wait, 100))
  }
  throw startFailed()
}

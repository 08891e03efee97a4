import { inject } from 'vitest'
import type { Target } from './target.ts'

/** A server to check, and how to reach it. */
export interface Server {
  readonly target: Target
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
}

let findOwnServer: (() => Promise<Server>) | null = null

/** Makes the clauses check a server that runs in this process, instead of the one at `--url`. */
export function checkOwnServer(find: () => Promise<Server>): void {
  findOwnServer = find
}

/** Returns the server that this run checks. */
export const findServer = async (): Promise<Server> =>
  findOwnServer ? findOwnServer() : { target: inject('conformance'), fetch }

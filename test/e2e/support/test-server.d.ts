import type { Bindings } from '../../../scripts/support/storage.ts'

export declare function createFolder(): Promise<string>

/** Starts a server in this process. */
export declare function startTestServer(
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<{ readonly url: string; readonly env: Bindings }>

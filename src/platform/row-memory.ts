/** How long an isolate may reuse a row that it has read: `RecentDocuments` of `http/find-document.ts`. */
export const ROW_MEMORY_MS = 1_000

/**
 * Resolves once no isolate remembers a row as it was before this call. Code that adds a protection waits for it, so that
 * the answer doesn't promise what other isolates don't do yet.
 */
export const outlastRowMemory = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ROW_MEMORY_MS))

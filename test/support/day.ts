const DAY_MS = 86_400_000
/** Longer than a test takes on a slow machine. */
const TEST_MS = 120_000

/** Waits for midnight if it's near: what a test has written today wouldn't count any more. */
export async function startBeforeMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS)
  // A timer may be early by a moment.
  if (left < TEST_MS) await new Promise((resolve) => setTimeout(resolve, left + 1_000))
}

import { expect, onTestFinished, vi } from 'vitest'

const getEvent = (line: unknown): unknown => {
  try {
    return JSON.parse(String(line)).event
  } catch {
    return null
  }
}

/**
 * Expects that the rest of a test logs each of these faults, such as "request failed". They aren't printed; other faults are.
 *
 * @returns the lines, once they are logged.
 */
export function expectFaults(...events: readonly string[]): string[] {
  const lines: string[] = []
  const { error: print } = console
  vi.spyOn(console, 'error').mockImplementation((...logged) => {
    if (events.includes(String(getEvent(logged[0])))) lines.push(String(logged[0]))
    else print(...logged)
  })
  onTestFinished(() => {
    expect(new Set(lines.map(getEvent))).toEqual(new Set(events))
  })
  return lines
}

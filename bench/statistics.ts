export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Returns the median of the ratios between two series that were measured in the same rounds. */
export const medianRatio = (values: readonly number[], baseline: readonly number[]): number =>
  median(values.map((value, round) => value / (baseline[round] ?? Number.NaN)))

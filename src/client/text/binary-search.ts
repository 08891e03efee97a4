/**
 * Returns the index of the last number that is at most `limit`, or -1 if every number is larger.
 *
 * @param numbers ascending; with a `stride` of n, only every nth number is looked at and the index counts those.
 */
export function findLastAtMost(numbers: ArrayLike<number>, limit: number, stride = 1): number {
  let [low, high] = [0, numbers.length / stride]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * stride] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

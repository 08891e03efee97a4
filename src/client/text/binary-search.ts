/** The index of the last number that is at most `limit`, or -1. Only every nth number counts with a `stride` of n. */
export function findLastAtMost(numbers: ArrayLike<number>, limit: number, stride = 1): number {
  let [low, high] = [0, numbers.length / stride]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle * stride] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

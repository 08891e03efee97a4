const RUNS = 3

/** In microseconds: the CPU time of this process, on which other load has no effect. */
function measureCpu(run: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}

/** How many times as long a text takes that is four times as long: about four, and sixteen if it grows with the square. */
export function measureGrowth(
  read: (text: string) => unknown,
  createText: (share: number) => string,
): number {
  const [quarter, whole] = [createText(1 / 4), createText(1)]
  return measureCpu(() => read(whole)) / measureCpu(() => read(quarter))
}

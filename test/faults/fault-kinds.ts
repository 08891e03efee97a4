import { vi } from 'vitest'
import { bindingsWith, type StorageCall } from '../support/bindings.ts'
import { hang, TIMEOUT_MS } from '../support/storage/faults.ts'

/** What happens to the nth storage call of an operation. */
export const FAULT_KINDS = [
  /** It does nothing, and reports an error. */
  'fails',
  /** So do all calls after it. */
  'fails from then on',
  /** It takes effect, but reports that the connection was lost. */
  'loses its answer',
  /** It doesn't answer in time, and takes effect after the operation has given up or tried again. */
  'is delayed',
  /** The process dies before the call: nobody gets an answer, and nothing else happens. */
  'is cut off before',
  /** The process dies after the call has taken effect. */
  'is cut off after',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

const connectionLost = () => new Error('D1_ERROR: Network connection lost.')

export interface InjectedFault {
  /** The real bindings, with the fault. */
  readonly bindings: Env
  /** The call that the fault hit; null if the operation made fewer calls. */
  readonly struck: () => StorageCall | null
  /** Resolves when the process has died. */
  readonly death: Promise<'dead'>
  /** Lets delayed calls take effect. */
  readonly runDelayed: () => Promise<void>
}

/** Returns bindings whose nth storage call is hit by a fault. */
export function injectFault(kind: FaultKind, nth: number, vars: Record<string, string> = {}): InjectedFault {
  let calls = 0
  let struck: StorageCall | null = null
  let die: (dead: 'dead') => void = () => {}
  let isDead = false
  const death = new Promise<'dead'>((resolve) => {
    die = resolve
  })
  const timers = vi.spyOn(globalThis, 'setInterval')
  const stop = (): Promise<never> => {
    // They die with a process.
    for (const { value } of timers.mock.results) clearInterval(value)
    timers.mockRestore()
    isDead = true
    die('dead')
    return new Promise(() => {})
  }
  const delayed: (() => Promise<unknown>)[] = []

  const bindings = bindingsWith(
    async (call, run) => {
      if (isDead) return stop()
      calls += 1
      if (calls === nth) struck = call
      if (kind === 'fails from then on' ? calls < nth : calls !== nth) return run()
      switch (kind) {
        case 'fails':
        case 'fails from then on':
          throw connectionLost()
        case 'loses its answer':
          await run()
          throw connectionLost()
        case 'is delayed':
          delayed.push(run)
          return hang()
        case 'is cut off before':
          return stop()
        case 'is cut off after':
          await run()
          return stop()
        default:
          throw new Error(kind satisfies never)
      }
    },
    { ...vars, STORAGE_TIMEOUT_MS: String(TIMEOUT_MS) },
  )
  return {
    bindings,
    death,
    struck: () => struck,
    runDelayed: async () => {
      timers.mockRestore()
      // D1 may refuse a statement that comes too late, and then it doesn't take effect.
      for (const run of delayed.splice(0)) await run().catch(() => {})
    },
  }
}

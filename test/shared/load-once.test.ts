import { describe, expect, test, vi } from 'vitest'
import { loadOnce } from '../../src/shared/load-once.ts'

describe('loadOnce', () => {
  test('loads when it is first asked, once for all callers', async () => {
    const load = vi.fn(async () => ({ loaded: true }))
    const get = loadOnce(load)
    expect(load).not.toHaveBeenCalled()
    const [one, other] = await Promise.all([get(), get()])
    expect(one).toBe(other)
    expect(await get()).toBe(one)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('tries again after a failure', async () => {
    const load = vi.fn(async () => 'a module').mockRejectedValueOnce(new Error('The connection was lost'))
    const get = loadOnce(load)
    await expect(get()).rejects.toThrow('The connection was lost')
    expect(await get()).toBe('a module')
    expect(load).toHaveBeenCalledTimes(2)
  })
})

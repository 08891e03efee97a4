import { describe, expect, test, vi } from 'vitest'
import { loadOnce } from '../../src/shared/load-once.ts'

describe('loadOnce', () => {
  test('loads when it is first asked, and keeps what it loaded', async () => {
    const load = vi.fn(async () => ({ loaded: true }))
    const get = loadOnce(load)
    expect(load).not.toHaveBeenCalled()
    const module = await get()
    expect(await get()).toBe(module)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('gives callers at the same time one module', async () => {
    const get = loadOnce(async () => ({ loaded: true }))
    const [one, other] = await Promise.all([get(), get()])
    expect(one).toBe(other)
  })

  test('tries again after a failure', async () => {
    const load = vi.fn(async () => 'a module').mockRejectedValueOnce(new Error('The connection was lost'))
    const get = loadOnce(load)
    await expect(get()).rejects.toThrow('The connection was lost')
    expect(await get()).toBe('a module')
  })

  test('waits for no other caller, whose client may have hung up', async () => {
    const load = vi.fn(async () => 'a module').mockReturnValueOnce(new Promise(() => {}))
    const get = loadOnce(load)
    get()
    expect(await get()).toBe('a module')
  })
})

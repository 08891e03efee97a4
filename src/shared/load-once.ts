/**
 * Loads a module at the first call. Each further `import()` of it would take 10 µs on Workers. After a failure, the next call
 * tries again.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | null = null
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null
      throw error
    })
    return loaded
  }
}

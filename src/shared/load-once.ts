/**
 * Loads a module at the first call: each further `import()` of it would take 10 µs on Workers. Keeps the module, and no promise
 * of it, because the promise of a request whose client hangs up may never settle.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: { readonly module: Module } | null = null
  return async () => {
    if (loaded) return loaded.module
    const module = await load()
    loaded ??= { module }
    return loaded.module
  }
}

// Makes a process as poor as after `npm ci --omit=dev`: it refuses to load devDependencies.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const { devDependencies } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)
const refused = new Set(Object.keys(devDependencies))

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const parts = specifier.split('/')
    const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
    if (refused.has(name)) {
      const message = `Cannot find package '${name}' imported from ${context.parentURL}`
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    return nextResolve(specifier, context)
  },
})

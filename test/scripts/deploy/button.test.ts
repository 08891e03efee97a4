import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

// https://developers.cloudflare.com/workers/platform/deploy-buttons/
describe('the "Deploy to Cloudflare" button', () => {
  const config = readConfig({ config: new URL('../../../wrangler.toml', import.meta.url).pathname })
  const { scripts, cloudflare } = JSON.parse(read('package.json'))
  const secrets = [...read('.dev.vars.example').matchAll(/^(\w+)=(.*)$/gm)]

  it('runs the script that applies migrations, and the one that builds', () => {
    expect(scripts.deploy).toBe('node scripts/deploy.ts')
    expect(scripts.build).toBe('node scripts/build-client.ts && node scripts/build-worker.ts')
  })

  it('describes bindings, variables and secrets that exist', () => {
    const known = new Set([
      ...Object.keys(config.vars),
      ...config.d1_databases.map(({ binding }: { binding: string }) => binding),
      ...config.kv_namespaces.map(({ binding }: { binding: string }) => binding),
      ...secrets.map(([, name]) => name),
    ])
    expect(Object.keys(cloudflare.bindings).filter((name) => !known.has(name))).toEqual([])
  })

  it("finds no ids of somebody's database and namespace, so that it creates new ones", () => {
    expect(config.d1_databases).toEqual([{ binding: 'DB', database_name: 'regent' }])
    expect(config.kv_namespaces).toEqual([{ binding: 'CONTENTS' }])
  })

  it('never suggests a value for a secret', () => {
    expect(secrets.length).toBeGreaterThan(0)
    expect(secrets.filter(([, , value]) => value !== '')).toEqual([])
  })
})

import { runNamed } from '../../scripts/support/script.ts'

await runNamed('torture', {
  soak: async () => (await import('./soak.ts')).soakService(),
  faults: async () => (await import('./faults.ts')).faults(),
  kills: async () => (await import('./kills.ts')).kills(),
  server: async () => (await import('./server.ts')).server(),
  fuzz: async () => (await import('./fuzz.ts')).fuzzService(),
  expressions: async () => (await import('./expressions.ts')).expressions(),
  generators: async () => (await import('./generators.ts')).generators(),
  cost: async () => (await import('./cost.ts')).cost(),
  mutants: async () => (await import('./mutants.ts')).mutants(),
})

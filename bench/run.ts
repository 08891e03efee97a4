import { runNamed } from '../scripts/support/script.ts'

// Without a name, `npm run bench -- --rounds 3` compares.
if (process.argv[2] === undefined || process.argv[2].startsWith('--')) process.argv.splice(2, 0, 'compare')

await runNamed('bench', {
  compare: async () => (await import('./compare.ts')).compareServices(),
  own: async () => (await import('./own.ts')).measureOwn(),
  browser: async () => (await import('./browser.ts')).measureBrowser(),
  startup: async () => (await import('./startup.ts')).measureStartup(),
  world: async () => (await import('./world.ts')).measureWorld(),
  scaling: async () => (await import('./scaling.ts')).measureScaling(),
  lists: async () => (await import('./lists.ts')).measureLists(),
  sizes: async () => (await import('./sizes.ts')).measureSizes(),
  detection: async () => (await import('./detection.ts')).measureDetection(),
  scan: async () => (await import('./scan.ts')).measureScan(),
  growth: async () => (await import('./growth.ts')).measureGrowth(),
  'large-pages': async () => (await import('./large-pages.ts')).measureLargePages(),
  links: async () => (await import('./links.ts')).measureLinks(),
  server: async () => (await import('./server.ts')).measureServer(),
  flows: async () => (await import('./flows.ts')).printFlows(),
})

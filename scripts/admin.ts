import { runNamed } from './support/script.ts'

await runNamed('admin', {
  user: async (args) => (await import('./admin/user.ts')).userCommands(args),
  documents: async (args) => (await import('./admin/documents.ts')).documentCommands(args),
  blocks: async (args) => (await import('./admin/blocks.ts')).blockCommands(args),
  audit: async (args) => (await import('./admin/audit.ts')).auditCommands(args),
  find: async (args) => (await import('./admin/find.ts')).findCommand(args),
  limits: async (args) => (await import('./admin/limits.ts')).limitCommands(args),
  cleanup: async (args) => (await import('./admin/cleanup.ts')).cleanupCommand(args),
})

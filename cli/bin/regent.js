#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 3)) {
  process.stderr.write(`regent needs Node 20.3 or newer. This is Node ${process.versions.node}.\n`)
  process.exit(1)
}
await import('../dist/cli/src/main.js')

import { beforeAll } from 'vitest'
import { viewCounter } from '../../src/documents/views.ts'
import { startEmpty } from './storage/wipe.ts'

// Test files share a runtime, one after the other. Each starts with empty storage.
beforeAll(async () => {
  await startEmpty()
  // The file before may have planned to write its views and ended first. Nobody else would plan it for ten seconds.
  await viewCounter.flush(async () => {})
})

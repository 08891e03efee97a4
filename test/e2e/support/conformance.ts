import type { TestProject } from 'vitest/node'
import { addAccount } from './accounts.ts'

/** Makes the conformance suite check the server that the browser tests share. */
export default async function setup(project: TestProject): Promise<void> {
  const { base, folder } = project.getProvidedContext().shared
  const key = async (username: string, options?: { confirmed: boolean }) =>
    (await addAccount(folder, username, options)).key
  project.provide('conformance', {
    url: base,
    key: await key('Conformance-Creator'),
    secondKey: await key('Conformance-Editor'),
    unconfirmedKey: await key('conformance-unconfirmed', { confirmed: false }),
    disposableKey: await key('conformance-disposable'),
    legacyClients: false,
    anonymousSettings: 'refuse',
    anonymousDocuments: true,
    maxContentBytes: 10 * 1024 * 1024,
    slow: false,
  })
}

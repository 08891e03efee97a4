import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8')

/** For paste.example.org, localhost and 127.0.0.1. It has signed itself, so nobody else trusts it. */
export const CERTIFICATE = { key: read('tls-key.pem'), cert: read('tls-certificate.pem') }

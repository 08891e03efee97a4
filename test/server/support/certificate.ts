import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FIXTURES = join(import.meta.dirname, '../fixtures')

/** For paste.example.org, localhost and 127.0.0.1. It has signed itself, so nobody else trusts it. */
export const CERTIFICATE_FILE = join(FIXTURES, 'tls-certificate.pem')

export const CERTIFICATE = {
  key: readFileSync(join(FIXTURES, 'tls-key.pem'), 'utf8'),
  cert: readFileSync(CERTIFICATE_FILE, 'utf8'),
}

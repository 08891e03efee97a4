import { env } from 'cloudflare:workers'
import { describeStorage } from '../support/storage/contract.ts'

describeStorage(async () => env)

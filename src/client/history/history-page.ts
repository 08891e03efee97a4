import { startComparison, startVersion } from './decrypt-versions.ts'

const comparison = document.querySelector<HTMLTemplateElement>('template#decrypted-comparison')
const version = document.querySelector<HTMLTemplateElement>('template#decrypted-version')
if (comparison) startComparison(comparison)
if (version) startVersion(version)

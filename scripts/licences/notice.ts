import type { BundledPackage } from './packages.ts'

/** Licences that let us bundle a package without publishing our own code under them. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
])

/** Returns true if an SPDX expression offers a permissive licence. */
export const isPermissive = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => PERMISSIVE.has(licence.trim())))

const RULE = '-'.repeat(80)

const INTRODUCTION = `Third-party software in Regent

The Worker, the scripts of the site and its fonts contain these packages. Each text applies to the packages above it.
Written by scripts/licences.ts.
`

/** Returns the notice that is published with the bundles: every package with its licence, and each text once. */
export function formatNotice(packages: readonly BundledPackage[]): string {
  const groups = Map.groupBy(packages, ({ text }) => text)
  const sections = [...groups].map(([text, members]) => {
    const names = members.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
    return `${RULE}\n${names.join('\n')}\n\n${text}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}

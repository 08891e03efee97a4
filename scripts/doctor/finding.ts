/** What the doctor says about one thing. */
export interface Finding {
  /** `problem`: must be fixed. `advice`: works, but could be better. */
  readonly level: 'ok' | 'advice' | 'problem'
  readonly text: string
  /** What to do about it. */
  readonly fix?: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const advice = (text: string, fix: string): Finding => ({ level: 'advice', text, fix })
export const problem = (text: string, fix: string): Finding => ({ level: 'problem', text, fix })

/** The findings about one part of a deployment. */
export interface Section {
  readonly title: string
  readonly findings: readonly Finding[]
}

/** Formats a finding for a terminal. */
export const formatFinding = ({ level, text, fix }: Finding): string =>
  `  ${level.padEnd(8)} ${text}\n${fix === undefined ? '' : `${' '.repeat(11)}${fix}\n`}`

export const listProblems = (sections: readonly Section[]): Finding[] =>
  sections.flatMap(({ findings }) => findings.filter(({ level }) => level === 'problem'))

/** Formats the findings for a terminal, with the number of problems at the end. */
export function formatSections(sections: readonly Section[]): string {
  const count = listProblems(sections).length
  const parts = sections.map(({ title, findings }) => `${title}\n${findings.map(formatFinding).join('')}`)
  const result = count === 0 ? 'No problems found.' : count === 1 ? '1 problem.' : `${count} problems.`
  return `${parts.join('\n')}\n${result}\n`
}

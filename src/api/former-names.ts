import { SETTINGS } from '../shared/settings.ts'

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Adds the present names of settings that early clients write in camelCase, such as `instantDelete`. Otherwise they'd be
 * ignored as unknown fields, and the document would lack a protection that the client asked for.
 *
 * @param body JSON that hasn't been validated yet. It is changed in place.
 */
export function renameFormerSettings(body: unknown): void {
  const { settings } = (body ?? {}) as { settings?: unknown }
  if (typeof settings !== 'object' || settings === null) return
  const sent = settings as Record<string, unknown>
  for (const [name, value] of Object.entries(sent)) {
    const presentName = toSnakeCase(name)
    if (presentName !== name && Object.hasOwn(SETTINGS, presentName)) sent[presentName] ??= value
  }
}

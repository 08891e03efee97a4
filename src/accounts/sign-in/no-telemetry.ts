/** Stands in for better-auth's telemetry, by an alias in wrangler.toml: Regent reports nothing to anybody. */
export const createTelemetry = async () => ({ publish: async () => {} })

/** Returns the part of a configuration that telemetry would report. */
export const getTelemetryAuthConfig = () => ({})

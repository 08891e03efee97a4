/** The variables that an operator may set beside those of `wrangler.toml`: secrets, and optional bindings. */
interface __BaseEnv_Env {
  readonly AUTH_SECRET?: string
  readonly GITHUB_CLIENT_ID?: string
  readonly GITHUB_CLIENT_SECRET?: string
  readonly REPORT_WEBHOOK_SECRET?: string
  readonly TURNSTILE_SECRET?: string
  readonly TURNSTILE_VERIFY_URL?: string
  /** `npm run dev` sets it. */
  readonly LOCAL_SERVER?: string
  readonly EMAIL?: SendEmail
  readonly ANALYTICS?: AnalyticsEngineDataset
}

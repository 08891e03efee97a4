/** Cloudflare's script for Turnstile. It finds the element below by its class. */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

/** Asks people without an account to show that they are human. */
export const HumanCheck = ({ siteKey }: { siteKey: string }) => (
  <>
    <script src={SCRIPT} async defer />
    <div
      class="cf-turnstile"
      data-sitekey={siteKey}
      data-action="create"
      data-appearance="interaction-only"
    />
    <noscript>
      <p class="error">
        To share without an account, turn on JavaScript: this server checks that you’re human. Or{' '}
        <a href="/sign-in?return=/">sign in</a>.
      </p>
    </noscript>
  </>
)

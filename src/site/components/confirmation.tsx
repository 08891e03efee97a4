import type { Child } from 'hono/jsx'

export interface Confirmation {
  /** Of the dialog, and unique on its page. */
  readonly id: string
  readonly title: string
  /** What the button says, here and in the dialog. */
  readonly button: string
  /** Where the form goes that does it. A GET of the same address is a page that asks the same. */
  readonly action: string
  readonly children: Child
}

/** The question itself, for the dialog and for the page that stands in for it. */
export const ConfirmationForm = ({ button, action, children }: Omit<Confirmation, 'id' | 'title'>) => (
  <form method="post" action={action}>
    {children}
    <button type="submit" class="danger">
      {button}
    </button>
  </form>
)

/**
 * A button that asks before it does anything: in a dialog that the browser opens by itself, without
 * scripts (HTML, invoker commands). A browser that knows no such commands takes the button for what
 * submits the form around it, and so comes to the page that asks the same.
 */
export const ConfirmationButton = ({ id, title, button, action, children }: Confirmation) => (
  <>
    <form method="get" action={action} class="inline">
      {/* With a type of its own the button would always submit. */}
      {/* biome-ignore lint/a11y/useButtonType: see above */}
      <button class="danger" command="show-modal" commandfor={id}>
        {button}
      </button>
    </form>
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <ConfirmationForm button={button} action={action}>
        {children}
      </ConfirmationForm>
      <form method="dialog" class="inline">
        <button type="submit" class="quiet">
          Cancel
        </button>
      </form>
    </dialog>
  </>
)

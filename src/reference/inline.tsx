/** Renders a sentence whose code is in backticks. */
export const Inline = ({ children }: { children: string }) => (
  <>{children.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

/** Renders text with code in backticks. */
export const Inline = ({ children }: { children: string }) => (
  <>{children.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

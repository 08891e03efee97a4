import type { Child } from 'hono/jsx'

/** A cell of a table. On a phone, where the header row is hidden, the column's title is shown before the value. */
export const Cell = ({ column, children }: { column: string; children: Child }) => (
  <td data-column={column}>{children}</td>
)

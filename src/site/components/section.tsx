import type { Child } from 'hono/jsx'

/** A titled section of a page, which links can point to by its id. */
export const Section = ({ id, title, children }: { id: string; title: string; children: Child }) => (
  <section aria-labelledby={id} class="section">
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

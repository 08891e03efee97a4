import type { Child } from 'hono/jsx'

/** A part of a page of settings, under a title of its own that addresses lead to. */
export const Section = ({ id, title, children }: { id: string; title: string; children: Child }) => (
  <section aria-labelledby={id} class="section">
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

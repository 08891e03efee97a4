import type { Child } from 'hono/jsx'
import { Icon, type IconName } from './icons.tsx'

export const EmptyState = ({ icon, title, children }: { icon: IconName; title: Child; children: Child }) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
)

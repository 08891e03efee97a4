import type { Child } from 'hono/jsx'
import { Icon, type IconName } from './icons.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: Child
  readonly children: Child
}

export const EmptyState = ({ icon, title, children }: EmptyStateProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
)

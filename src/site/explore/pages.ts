export { showExplore, showExploreFeed } from './show-explore.tsx'
export { showProfile, showProfileFeed } from './show-profile.tsx'
export { showDaySitemap, showPagesSitemap, showSitemap } from './show-sitemap.ts'

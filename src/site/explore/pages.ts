export { answerFeed } from './answer-xml.ts'
export { ExplorePage } from './explore-page.tsx'
export { renderFeed } from './feed.ts'
export { ProfilePage } from './profile-page.tsx'

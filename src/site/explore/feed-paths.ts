import { EXPLORE_PATH, getProfilePath } from '../layout/paths.ts'

export const EXPLORE_FEED_PATH = `${EXPLORE_PATH}.atom`
export const getProfileFeedPath = (username: string): string => `${getProfilePath(username)}.atom`

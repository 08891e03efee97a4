import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { documentPages } from './document.tsx'
import { home } from './home.tsx'
import { icons } from './icon.tsx'
import { raw } from './raw.tsx'

/** Everything that people look at. */
export const site = new Hono<AppEnv>()
  .route('/', home)
  .route('/r', raw)
  .route('/icons', icons)
  .route('/', documentPages)

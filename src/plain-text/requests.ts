export { answerCreate, answerHasteCreate } from './create.ts'
export { answerDelete, answerRead } from './documents.ts'
export { answerManual } from './manual.ts'

/** What only embeds need, in one module: a bundler makes more pieces of more modules. */
export { answerEmbed } from './answer-embed.tsx'
export { answerOEmbed } from './answer-oembed.ts'
export { answerEmbedCode } from './embed-code-page.tsx'
export { answerFramedError } from './framed-answer.tsx'

import { describe, expect, it } from 'vitest'
import { readCorpus, readOutputs, type Snippet } from '../../scripts/support/detection-corpus.ts'
import { detectLanguage } from '../../src/shared/detection/detect-language.lazy.ts'

const corpus = readCorpus()

const getName = ({ language, name, text }: Snippet) => `${language}/${name}: ${detectLanguage(text).language}`
const isWrong = ({ language, text }: Snippet) => detectLanguage(text).language !== language

describe('the corpus of language detection', () => {
  it('holds out a fifth to a third of at least 200 snippets in at least 40 languages', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(200)
    expect(new Set(corpus.map(({ language }) => language)).size).toBeGreaterThanOrEqual(40)
    const share = corpus.filter(({ heldOut }) => heldOut).length / corpus.length
    expect(share).toBeGreaterThan(1 / 5)
    expect(share).toBeLessThan(1 / 3)
  })

  it.each([true, false])('is detected in at least 95 % of the cases (held out: %s)', (heldOut) => {
    const part = corpus.filter((snippet) => snippet.heldOut === heldOut)
    const wrong = part.filter(isWrong)
    expect(wrong.length, wrong.map(getName).join(', ')).toBeLessThanOrEqual(0.05 * part.length)
  })

  it('has no prose and no log that is taken for code', () => {
    const texts = corpus.filter(({ language }) => language === 'plaintext' || language === 'log')
    const coloured = texts.filter(({ text }) => !['plaintext', 'log'].includes(detectLanguage(text).language))
    expect(coloured.map(getName)).toEqual([])
  })

  it('is detected right wherever detection is sure, but for 1 % of the cases', () => {
    const sure = corpus.filter(({ text }) => detectLanguage(text).confident)
    expect(sure.filter(isWrong).length).toBeLessThanOrEqual(0.01 * sure.length)
  })
})

describe('the outputs of tools', () => {
  const outputs = readOutputs()
  const isCode = ({ text }: Snippet) =>
    !['plaintext', 'log', 'markdown'].includes(detectLanguage(text).language)

  it('are taken for code in at most 3 % of the cases', () => {
    expect(outputs.filter(isCode).length).toBeLessThanOrEqual(0.03 * outputs.length)
  })

  it('are seldom taken for code where nobody looked at them while improving detection', () => {
    const heldOut = outputs.filter((output) => output.heldOut)
    expect(heldOut).toHaveLength(154)
    expect(heldOut.filter(isCode).length).toBeLessThanOrEqual(0.03 * heldOut.length)
  })

  it('are never taken for code otherwise', () => {
    const wrong = outputs.filter((output) => !output.heldOut && isCode(output))
    expect(wrong.map(getName)).toEqual([])
  })
})

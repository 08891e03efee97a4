import { env } from 'cloudflare:workers'
import { initSync, type Node } from '@takumi-rs/wasm'
import { describe, expect, it } from 'vitest'
import { drawPicture, layOutPicture } from '../../../src/previews/picture/draw-picture.ts'
import { PALETTES } from '../../../src/previews/picture/palette.ts'
import { MAX_FONT_BYTES, MODULE_BYTES, selectParts } from '../../../src/previews/picture/renderer.ts'
import { FONTS } from '../../../src/ui/assets.generated.ts'

const listParts = async () =>
  (await env.ASSETS.fetch(`https://assets.invalid${FONTS}`)).json<Parameters<typeof selectParts>[0]>()

type Parts = Awaited<ReturnType<typeof listParts>>

const countBytes = (parts: Iterable<Parts[number]>): number =>
  [...parts].reduce((sum, { bytes }) => sum + bytes, 0)

const hasCharacter = ({ ranges }: Parts[number], codePoint: number): boolean =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

/** Returns a text with a character of each part. */
const spellParts = (parts: Parts): string =>
  parts
    .map(({ ranges }) => String.fromCodePoint(ranges.findLast(([first]) => first >= 0x80)?.[0] ?? 0x41))
    .join('')

const picture = (text: string, language = 'plaintext') => ({
  text,
  language,
  isCut: false,
  palette: PALETTES.light,
  facts: {
    title: 'Title',
    language: 'Text',
    author: null,
    length: '1 line',
    host: 'paste.example',
    site: { name: 'Regent', icon: null },
  },
})

const countTexts = (node: Node): number =>
  node.type === 'container' ? (node.children ?? []).reduce((sum, child) => sum + countTexts(child), 0) : 1

/** Prose that is older than any copyright. The lines of a picture have room for a little more. */
const PROSE = {
  'traditional Chinese':
    '晉太元中，武陵人捕魚為業。緣溪行，忘路之遠近。忽逢桃花林，夾岸數百步，中無雜樹，芳草鮮美，落英繽紛。漁人甚異之。復前行，欲窮其林。林盡水源，便得一山。山有小口，彷彿若有光。便舍船，從口入。初極狹，纔通人。復行數十步，豁然開朗。土地平曠，屋舍儼然，有良田、美池、桑竹之屬。阡陌交通，雞犬相聞。其中往來種作，男女衣著，悉如外人。黃髮垂髫，並怡然自樂。見漁人，乃大驚，問所從來。具答之。便要還家，設酒殺雞作食。村中聞有此人，咸來問訊。自云先世避秦時亂，率妻子邑人來此絕境，不復出焉，遂與外人間隔。問今是何世，乃不知有漢，無論魏晉。此人一一為具言所聞，皆歎惋。餘人各復延至其家，皆出酒食。停數日，辭去。',
  'simplified Chinese':
    '盼望着，盼望着，东风来了，春天的脚步近了。一切都像刚睡醒的样子，欣欣然张开了眼。山朗润起来了，水涨起来了，太阳的脸红起来了。小草偷偷地从土里钻出来，嫩嫩的，绿绿的。园子里，田野里，瞧去，一大片一大片满是的。坐着，躺着，打两个滚，踢几脚球，赛几趟跑，捉几回迷藏。风轻悄悄的，草软绵绵的。桃树、杏树、梨树，你不让我，我不让你，都开满了花赶趟儿。红的像火，粉的像霞，白的像雪。花里带着甜味儿；闭了眼，树上仿佛已经满是桃儿、杏儿、梨儿。花下成千成百的蜜蜂嗡嗡地闹着，大小的蝴蝶飞来飞去。野花遍地是：杂样儿，有名字的，没名字的，散在草丛里，像眼睛，像星星，还眨呀眨的。',
  Japanese:
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。吾輩はここで始めて人間というものを見た。しかもあとで聞くとそれは書生という人間中で一番獰悪な種族であったそうだ。この書生というのは時々我々を捕えて煮て食うという話である。しかしその当時は何という考もなかったから別段恐しいとも思わなかった。ただ彼の掌に載せられてスーと持ち上げられた時何だかフワフワした感じがあったばかりである。掌の上で少し落ちついて書生の顔を見たのがいわゆる人間というものの見始であろう。この時妙なものだと思った感じが今でも残っている。',
  Korean:
    '나랏말이 중국과 달라 한자와 서로 통하지 아니하므로, 어리석은 백성들이 말하고자 하는 바가 있어도 마침내 제 뜻을 펴지 못하는 사람이 많으니라. 내가 이를 위하여 가엾게 여겨 새로 스물여덟 글자를 만드니, 모든 사람들로 하여금 쉽게 익혀 날마다 쓰는 데 편하게 하고자 할 따름이니라. 산에는 꽃 피네 꽃이 피네 갈 봄 여름 없이 꽃이 피네. 산에 산에 피는 꽃은 저만치 혼자서 피어 있네. 산에서 우는 작은 새여 꽃이 좋아 산에서 사노라네. 넓은 벌 동쪽 끝으로 옛이야기 지줄대는 실개천이 휘돌아 나가고, 얼룩백이 황소가 해설피 금빛 게으른 울음을 우는 곳.',
}

describe('the fonts of a picture', () => {
  it.each(Object.entries(PROSE))('have every character of %s', async (_, text) => {
    const selected = [...selectParts(await listParts(), text)]
    const missing = Array.from(new Set(text)).filter(
      (character) => !selected.some((part) => hasCharacter(part, character.codePointAt(0) ?? 0)),
    )
    expect(missing).toEqual([])
  })

  it('are bounded, in the order of the text', async () => {
    const parts = await listParts()
    const text = spellParts(parts)
    expect(countBytes(parts)).toBeGreaterThan(4 * MAX_FONT_BYTES)
    const selected = selectParts(parts, PROSE.Japanese + text)
    expect(countBytes(selected)).toBeLessThanOrEqual(MAX_FONT_BYTES)
    expect(selected.isSupersetOf(selectParts(parts, PROSE.Japanese))).toBe(true)
  })

  it('are freed, so the module stays within its memory', async () => {
    const text = spellParts(await listParts())
    for (let at = 0; at < 300; at += 50)
      await drawPicture(env.ASSETS, picture(text.slice(at) + text.slice(0, at)))
    const { default: module } = await import('@takumi-rs/wasm/auto')
    expect(initSync({ module }).memory.buffer.byteLength).toBeLessThanOrEqual(MODULE_BYTES)
  })
})

describe('the nodes of a picture', () => {
  it.each([
    ['cells', 'markdown', `${'|'.repeat(699)}\n`.repeat(9)],
    ['marks in cells', 'markdown', `|${'*a*b|'.repeat(130)}\n`.repeat(9)],
    ['marks in quotes', 'markdown', `> ${'*a* '.repeat(170)}\n\n`.repeat(9)],
    ['marks in items', 'markdown', `- ${'`a` '.repeat(60)}\n`.repeat(24)],
    ['blocks of code', 'markdown', `\`\`\`js\n${'a.b=/x/;\n'.repeat(20)}\`\`\`\n`.repeat(24)],
    ['tokens', 'javascript', `${'a.b=/x/;'.repeat(12)}\n`.repeat(50)],
  ])('are at most 700 with thousands of %s', (_, language, text) => {
    expect(countTexts(layOutPicture(picture(text, language)))).toBeLessThan(700)
  })
})

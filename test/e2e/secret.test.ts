import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectComplete, FROZEN_MS } from './support/browser.ts'
import {
  alertWith,
  enter,
  PASSWORD,
  record,
  SECRET,
  type Stage,
  shownText,
  startStage,
} from './support/secret.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.end())

describe('an encrypted document', () => {
  it('is opened in the browser, which tells nobody its password or its text, as one view', async () => {
    const { id } = await stage.createSealed(SECRET, PASSWORD, { language: 'python' })
    await stage.withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await enter(page, 'wrong')
      await alertWith(page, 'This is not the password. Try again.')
      await enter(page, PASSWORD)
      await page.getByRole('heading', { name: id }).waitFor()
      expect(await shownText(page)).toBe(SECRET)
      expect(await page.locator('.numbers').textContent()).toBe('1\n2')
      expect(await page.title()).toBe(`${id} · Regent`)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
      await page.getByRole('status').filter({ hasText: 'Opened in your browser' }).waitFor()
      for (const fact of ['Python', 'Views', 'demo'])
        expect(await page.locator('.facts').innerText()).toContain(fact)
      expect(sent.filter((part) => part.includes('/v1/document/'))).toHaveLength(1)
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one', 'wrong']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
    })
    expect(await stage.viewsOf(id)).toBe(2)
  })

  it.each([{}, { instant_delete: true }])(
    'warns of what hides in it, as other pages do: %j',
    async (settings) => {
      const { id } = await stage.createSealed('a\nb\u202Ec\u200Bd\u200B\n', PASSWORD, settings)
      await stage.withPage(async (page) => {
        await page.goto(`/${id}`)
        await enter(page, PASSWORD)
        await page.getByRole('heading', { name: id }).waitFor()
        expect(await page.getByRole('note').textContent()).toBe(
          'Look twice: this text may not be what it looks like. It has one bidirectional control character, on line 2; and 2 invisible characters, first on line 2.',
        )
        await page.getByRole('link', { name: 'first on line 2' }).click()
        await page.locator('pre:not(.numbers) > .marked').waitFor()
        await expectComplete(page)
      })
    },
  )

  it('that the service encrypted opens the same way', async () => {
    const { id, password = '' } = await stage.create('by the service', { encrypted: true })
    await stage.withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await enter(page, password)
      await page.getByText('by the service').waitFor()
      expect(sent.join('\n')).not.toContain(password)
    })
  })

  it('says when it can not be had, and opens on another try', async () => {
    const { id, password = '' } = await stage.create('patience', { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/v1/**', (route) => route.abort())
      await enter(page, password)
      await alertWith(page, 'The server could not be reached')
      await page.unroute('**/v1/**')
      await page.route('**/v1/**', (route) => route.fulfill({ status: 503, body: '{}' }))
      await page.getByRole('button', { name: 'Show the document' }).click()
      await alertWith(page, 'Something went wrong at the server')
      await page.unroute('**/v1/**')
      await page.getByRole('button', { name: 'Show the document' }).click()
      await page.getByText('patience').waitFor()
    })
  })

  it('says that it is being opened when that takes longer than a blink, and takes one attempt at a time', async () => {
    const { id, password = '' } = await stage.create('slowly', { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      let asked = 0
      let go = () => {}
      const released = new Promise<void>((resolve) => {
        go = resolve
      })
      await page.route('**/v1/**', async (route) => {
        asked += 1
        await released
        await route.continue()
      })
      await enter(page, password)
      await page.getByRole('status').filter({ hasText: 'Opening…' }).waitFor()
      await page.keyboard.press('Enter')
      await expectAccessible(page)
      go()
      await page.getByText('slowly').waitFor()
      expect(asked).toBe(1)
    })
  })

  it('that is gone by then says so', async () => {
    const { id, password = '' } = await stage.create('x', { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await stage.remove(id)
      await enter(page, password)
      await alertWith(page, 'This document is gone')
    })
  })

  it('has all the tools of others, but none that would keep its text', async () => {
    const { id, password = '' } = await stage.create('const answer = 42\nconst question = null\n', {
      encrypted: true,
      language: 'typescript',
    })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enter(page, password)
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
      await page.getByLabel('Go to line').fill('2')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => location.hash === '#L2')
      await page.getByRole('button', { name: 'Wrap' }).click()
      const saved = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      const stream = await (await saved).createReadStream()
      const bytes = Buffer.concat(await stream.toArray())
      expect(bytes.toString()).toBe('const answer = 42\nconst question = null\n')
      expect(await page.getByRole('button', { name: 'Duplicate' }).count()).toBe(0)
      await expectComplete(page)
    })
  })

  it('of ten megabytes opens while the page stays alive', async () => {
    const line = 'a line of a very long text, with a number of words in it\n'
    const long = line.repeat(Math.floor((10 * 1024 * 1024) / line.length))
    const { id, password = '' } = await stage.create(long, { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.evaluate(() => {
        const tasks: number[] = []
        Object.assign(window, { tasks })
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) tasks.push(duration)
        }).observe({ type: 'longtask' })
      })
      await enter(page, password)
      await page.getByRole('heading', { name: id }).waitFor({ timeout: 60_000 })
      // Its first frame is drawn, and so is one from its middle.
      const settled = () =>
        page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))),
        )
      await settled()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
      await settled()
      const tasks = await page.evaluate<number[]>(() => Reflect.get(window, 'tasks'))
      expect(Math.max(0, ...tasks)).toBeLessThan(FROZEN_MS)
      expect((await shownText(page))?.length).toBe(long.length)
    })
  })
})

describe('a long text', () => {
  const lines = Array.from({ length: 12_345 }, (_, index) => (index % 7 ? `line ${index + 1}` : ''))
  const long = `${lines.join('\n')}\n`

  it('is numbered, selected and copied as a whole, though it is laid out in chunks', async () => {
    const { id, password = '' } = await stage.create(long, { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enter(page, password)
      await page.getByRole('heading', { name: id }).waitFor()
      expect(await shownText(page)).toBe(long)
      const numbers = (await page.locator('.numbers').textContent())?.trimEnd().split('\n')
      expect(numbers).toEqual(lines.map((_, index) => String(index + 1)))
      const selected = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('.text code') ?? document)
        return getSelection()?.toString()
      })
      expect(selected?.trimEnd()).toBe(long.trimEnd())
      await expectComplete(page)
    })
  })

  it.each([
    ['many lines', long],
    ['more lines than are numbered', '\n'.repeat(200_001)],
    ['a few long lines', `${'<b>long</b> '.repeat(9_000)}\n`.repeat(3)],
    ['as much as is laid out at once', 'x'.repeat(64 * 1024)],
  ])('is laid out as the page of any other document: %s', async (_, text) => {
    const plain = await stage.create(text, {})
    const { id, password = '' } = await stage.create(text, { encrypted: true })
    await stage.withPage(async (page) => {
      const columns = async () => {
        await page.getByRole('button', { name: 'Wrap' }).waitFor()
        const html = await page
          .locator('section.text > pre')
          .evaluateAll((all) => all.map(({ className, innerHTML }) => className + innerHTML))
        // Where scripts have opened a text, no link to a line has to work without.
        return html.join().replaceAll(/<span id="L\d+">(\d+)<\/span>/g, '$1')
      }
      await page.goto(`/${plain.id}`)
      const expected = await columns()
      await page.goto(`/${id}`)
      await enter(page, password)
      expect((await columns()) === expected).toBe(true)
    })
  })

  it('has links to its lines, which stand where their numbers are', async () => {
    const { id, password = '' } = await stage.create(long, { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}#L9876-L9877`)
      await enter(page, password)
      const mark = page.locator('section.text code + .marked')
      await mark.waitFor()
      const under = () =>
        mark.evaluate((element) => {
          const { top, left } = element.getBoundingClientRect()
          const at = document.caretPositionFromPoint(left + 20, top + 8)
          const data = at?.offsetNode.textContent ?? ''
          const start = data.lastIndexOf('\n', (at?.offset ?? 0) - 1) + 1
          return data.slice(start, data.indexOf('\n', start))
        })
      await expect.poll(under).toBe('line 9876')
      expect(await mark.evaluate((element) => element.getBoundingClientRect().height)).toBe(44)
    })
  })
})

describe('a link with the password in it', () => {
  it('opens the document at once, leaves the address, and says who can read it', async () => {
    const { id } = await stage.createSealed(SECRET, PASSWORD)
    await stage.withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}#${encodeURIComponent(PASSWORD)}`)
      await page.getByRole('heading', { name: id }).waitFor()
      expect(page.url()).toBe(`${stage.service.base}/${id}`)
      expect(await shownText(page)).toBe(SECRET)
      await page.getByRole('status').filter({ hasText: 'whoever has this link can read' }).waitFor()
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'line one']) {
        expect(sent.join('\n')).not.toContain(secret)
      }
      await expectComplete(page)
      // The same link once more, pasted where it was opened: there is nothing left to open.
      await page.evaluate((hash) => {
        location.hash = hash
      }, encodeURIComponent(PASSWORD))
      await expect.poll(() => page.url()).toBe(`${stage.service.base}/${id}`)
      expect(await shownText(page)).toBe(SECRET)
    })
  })

  it('with a wrong password leaves the address too, and asks', async () => {
    const { id } = await stage.createSealed('still here', PASSWORD)
    await stage.withPage(async (page) => {
      await page.goto(`/${id}#wrong`)
      await alertWith(page, 'not the password')
      expect(page.url()).toBe(`${stage.service.base}/${id}`)
      // The same page, and the whole link pasted into its address.
      await page.evaluate((hash) => {
        location.hash = hash
      }, encodeURIComponent(PASSWORD))
      await page.getByText('still here').waitFor()
      expect(page.url()).toBe(`${stage.service.base}/${id}`)
    })
  })

  it('is not mistaken for a link to a line, or to the content', async () => {
    const { id } = await stage.createSealed('x', PASSWORD)
    await stage.withPage(async (page) => {
      for (const place of ['L3', 'L3-L14', 'main']) {
        await page.goto(`/${id}`)
        await page.goto(`/${id}#${place}`)
        await page.reload()
        expect(page.url()).toBe(`${stage.service.base}/${id}#${place}`)
        expect(await page.getByRole('alert').count()).toBe(0)
        await enter(page, PASSWORD)
        await page.getByRole('heading', { name: id }).waitFor()
        expect(page.url()).toBe(`${stage.service.base}/${id}#${place}`)
      }
    })
  })

  it.each([PASSWORD, 'L10', '%41'])('is copied, and opens the document: password %s', async (password) => {
    const { id } = await stage.createSealed('shared by link', password)
    await stage.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await enter(page, password)
        await page.getByRole('button', { name: 'Copy link with password' }).click()
        await page.getByText('Copied.').waitFor()
        const link = await page.evaluate(() => navigator.clipboard.readText())
        expect(link).toMatch(new RegExp(`^${stage.service.base}/${id}#.`))
        await page.goto('/')
        await page.goto(link)
        await page.getByText('shared by link').waitFor()
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })
})

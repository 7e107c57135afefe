import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Demo, serveDemo } from '../../../src/cli/demo.ts'

describe('the console of the demo', () => {
  let demo: Demo

  before(async () => {
    demo = await serveDemo({ port: 0, linkSeconds: 60 })
  })
  after(async () => await demo.close())

  it('shows the emails of the service with their texts, without links to it', async () => {
    const read = async () => {
      const html = await (await fetch(`${demo.url}console?package=42`)).text()
      return html.slice(html.indexOf('<h2>Emails</h2>'))
    }
    assert.match(await read(), /No emails yet\./)
    const { status } = await fetch(`${demo.url}console/sign`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ package: '42', univid: '10000002' }),
      redirect: 'manual',
    })
    assert.equal(status, 303)
    const emails = await read()
    assert.match(
      emails,
      /<bdi>Travel request 42 is in your inbox<\/bdi>, to Mei-Ling Zhou<\/summary><blockquote>/,
    )
    assert.match(emails, /<p>Travel request, package 42, initiated by Amara Okafor, ROUTING<\/p>/)
    assert.doesNotMatch(emails.slice(0, emails.indexOf('</section>')), /<a /)
  })
})

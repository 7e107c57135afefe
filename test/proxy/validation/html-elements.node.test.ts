import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sanitizeHtml } from '../../../src/proxy/validation/html.ts'
import { parseHtml, serializeHtml } from '../../../src/proxy/validation/html-tree.ts'

const list = (names: string) => names.split(' ')

describe('sanitizeHtml()', () => {
  it('turns each other block element into a paragraph, unless it contains blocks', () => {
    for (const name of list(
      'address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form ' +
        'h1 h2 h3 h4 h5 h6 header hgroup legend main menu nav pre section summary',
    )) {
      assert.equal(sanitizeHtml(`a<${name}>b</${name}>c`), 'a<p>b</p>c', name)
      assert.equal(sanitizeHtml(`<${name}><p>b</p>c</${name}>`), '<p>b</p>c', name)
    }
    for (const block of ['<p>b</p>', '<ul><li>b</li></ul>', '<ol><li>b</li></ol>'])
      assert.equal(sanitizeHtml(`<div>a${block}</div>`), `a${block}`)
    const table = '<table><tbody><tr><td>b</td></tr></tbody></table>'
    assert.equal(sanitizeHtml(`<div>a${table}</div>`), `a${table}`)
    assert.equal(sanitizeHtml('<div><span><i>a</i></span></div>'), '<p><i>a</i></p>')
    assert.equal(sanitizeHtml('<div><span><div>a</div></span></div>'), '<p>a</p>')
  })

  it('removes each of these elements with its text', () => {
    for (const name of list(
      'script style svg math template iframe object applet noscript noembed noframes title audio video canvas datalist',
    ))
      assert.equal(sanitizeHtml(`a<${name}>b</${name}>c`), 'ac', name)
    assert.equal(sanitizeHtml('a<embed src="b">c'), 'ac')
    for (const name of list('span label abbr cite q mark sub sup big font tt nobr strike s code small x-y'))
      assert.equal(sanitizeHtml(`a<${name}>b</${name}>c`), 'abc', name)
  })

  it('keeps formatting elements in any case, and closes them where they end', () => {
    for (const name of list('b em i strong u'))
      for (const html of [
        `a<${name}>b</${name}>c`,
        `a<${name.toUpperCase()} x="y">b</${name.toUpperCase()}\n>c`,
      ])
        assert.equal(sanitizeHtml(html), `a<${name}>b</${name}>c`)
    assert.equal(sanitizeHtml('<b>a<p>b</p>c</b>'), '<b>a<p>b</p>c</b>')
    assert.equal(sanitizeHtml('<base>a<bdo>b</bdo><article>c</article>'), 'ab<p>c</p>')
    assert.equal(sanitizeHtml('a<b/>b</b>'), 'a<b>b</b>')
  })

  it('keeps parts of lists and tables only within them', () => {
    for (const name of list('li')) assert.equal(sanitizeHtml(`<p>a</p><${name}>b</${name}>`), '<p>a</p>b')
    for (const name of list('thead tbody tfoot tr th td'))
      assert.equal(sanitizeHtml(`<p>a</p><${name}>b</${name}>`), '<p>a</p>b', name)
    const cells = '<tr><th colspan="99" rowspan="1">a</th><td colspan="1" rowspan="99">b</td></tr>'
    for (const name of list('thead tbody tfoot'))
      assert.equal(
        sanitizeHtml(`<table><${name}>${cells}</${name}></table>`),
        `<table><${name}>${cells}</${name}></table>`,
      )
    for (const span of ['0', '01', '100', '-1', 'x', '1x', ''])
      for (const attribute of ['colspan', 'rowspan'])
        for (const name of ['th', 'td']) {
          const row = (attributes: string) =>
            `<table><tbody><tr><${name}${attributes}>a</${name}></tr></tbody></table>`
          assert.equal(sanitizeHtml(row(` ${attribute}="${span}"`)), row(''), `${name} ${attribute} ${span}`)
        }
  })

  it('keeps tabs and line breaks, and removes other control characters', () => {
    assert.equal(sanitizeHtml('a\tb\nc\u0001d\u007fe\u0085f\u200eg\u061ch\u2069i'), 'a\tb\ncdefghi')
    assert.equal(sanitizeHtml('a\ud800b'), 'ab')
    for (const blank of ['&nbsp;', '\u200b', '\u2800', '\u3164', '\u00ad', '<p> </p>', '<br>', '\ufe0f'])
      assert.equal(sanitizeHtml(blank), undefined, blank)
  })

  it('shows only the first part of a link that is written like its target', () => {
    const linked = (text: string, shown = text) =>
      assert.equal(
        sanitizeHtml(`<a href="https://a.test/x">${text}</a>`),
        `<a href="https://a.test/x">${shown}</a>`,
      )
    for (const text of [
      'a.test',
      'A.TEST/y',
      'https://a.test',
      'http://a.test/z',
      'a.test?b',
      'a.test#c',
      ' a.test ',
      'Home (a.test)',
      'mailto:a.test',
    ])
      linked(text)
    for (const text of ['a.tests', 'xa.test', 'a.test:8080', 'https://b.test (a.test) x', 'xhttps://a.test'])
      linked(text, `${text} (a.test)`)
  })

  // `html.node.test.ts` has more.
  it('keeps links to one mailbox, and to hosts with https', () => {
    const kept = (href: string) =>
      /^<a href="([^"]*)"/.exec(sanitizeHtml(`<a href="${href}">x</a>`) ?? '')?.[1]
    assert.equal(kept(' https://a.test '), 'https://a.test/')
    assert.equal(kept('HTTPS://A.test/B'), 'https://a.test/B')
    assert.equal(kept('MAILTO:a.b+c@x-y.example.test?subject=z'), 'mailto:a.b+c@x-y.example.test')
    assert.equal(kept('mailto:a@localhost'), 'mailto:a@localhost')
    for (const href of [
      'mailto:@b.test',
      'mailto:a@',
      'mailto:a@b..test',
      'mailto:a@b.test x',
      'xmailto:a@b.test',
      'https://a.test\\b',
      'https://a b',
      'xhttps://a.test',
      'https://[x]/',
    ])
      assert.equal(kept(href), undefined, href)
  })
})

describe('parseHtml() and serializeHtml()', () => {
  it('are the reverse of each other, without comments and declarations', () => {
    const html =
      '<p id="a">x <b>y</b></p><table><tbody><tr><td colspan="2" rowspan="3">z</td></tr></tbody></table>'
    assert.equal(serializeHtml(parseHtml(`<!doctype html><!-- c -->${html}`)), html)
    assert.deepEqual(parseHtml('a<p class="b">c</p>'), [
      { type: 'text', value: 'a' },
      {
        type: 'element',
        tagName: 'p',
        properties: { class: 'b' },
        children: [{ type: 'text', value: 'c' }],
      },
    ])
    assert.equal(
      serializeHtml([
        { type: 'comment', value: 'x' },
        { type: 'text', value: '<' },
      ]),
      '&lt;',
    )
  })

  it('read the content of noscript as markup', () => {
    const [element] = parseHtml('<noscript><b>a</b></noscript>')
    assert.ok(element?.type === 'element' && element.children[0]?.type === 'element')
  })
})

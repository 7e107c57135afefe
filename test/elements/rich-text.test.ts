import { expect } from '@open-wc/testing'
import { renderRichText } from '../../src/elements/rich-text.ts'

const built = (html: string) => renderRichText(html)?.innerHTML

describe('renderRichText()', () => {
  it('builds paragraphs, emphasis, lists, tables and links', () => {
    const html =
      '<p>Three <b>nights</b> in <em>Oslo</em><br>and back</p><ul><li>hotel</li><li>train</li></ul>' +
      '<table><thead><tr><th>Day</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    expect(built(html)).to.equal(html)
    expect(
      built('<a href="https://a.example/?b=1&amp;c=2">x</a><a href="mailto:a@b.example">y</a>'),
    ).to.equal(
      '<a href="https://a.example/?b=1&amp;c=2" rel="noreferrer">x</a><a href="mailto:a@b.example" rel="noreferrer">y</a>',
    )
  })

  it('keeps the text of all other tags, and none of their attributes', () => {
    const payloads = [
      '<script>alert(1)</script><p>x</p>',
      '<style>p { display: none }</style><p>x</p>',
      '<!-- <p>hidden</p> --><p>x</p>',
      '<p onclick="alert(1)" style="position: fixed" class="a" id="b">x</p>',
      '<img src="x" onerror="alert(1)"><p>x</p>',
      '<svg onload="alert(1)"></svg><p>x</p>',
      '<iframe srcdoc="<script>alert(1)</script>"></iframe><p>x</p>',
      '<SCRIPT>alert(1)</SCRIPT><P>x</P>',
      '<p>x</p></p></div></table>',
    ]
    for (const payload of payloads) {
      const root = renderRichText(payload)!
      expect(root.querySelector('p')!.outerHTML, payload).to.equal('<p>x</p>')
      for (const { localName, attributes } of root.querySelectorAll('*'))
        expect([localName, attributes.length], payload).to.deep.equal(['p', 0])
    }
    for (const link of [
      'javascript:alert(1)',
      'data:text/html,x',
      ' javascript:alert(1)',
      '/sign',
      'java&#115;cript:x',
    ])
      expect(built(`<a href="${link}">x</a>`), link).to.equal('<a>x</a>')
  })

  it('shows characters that are escaped as text', () => {
    expect(renderRichText('<p>&lt;b&gt; &amp;amp; &quot;x&quot; 1 < 2 &unknown;</p>')!.textContent).to.equal(
      '<b> &amp; "x" 1 < 2 &unknown;',
    )
  })

  it('returns nothing if there is nothing to read', () => {
    for (const html of ['', ' ', '<p> <br></p>', '<script>x</script>'])
      expect(built(html), html).to.equal(undefined)
  })
})

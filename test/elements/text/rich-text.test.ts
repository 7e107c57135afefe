import { expect } from '@open-wc/testing'
import { renderRichText } from '../../../src/elements/text/rich-text.ts'

const built = (html: string) => renderRichText(html)?.innerHTML

describe('renderRichText() @engines', () => {
  it('builds paragraphs, emphasis, lists, tables and links', () => {
    const html =
      '<p>Three <b>nights</b> in <em>Oslo</em><br>and back</p><ul><li>hotel</li><li>train</li></ul>' +
      '<table><thead><tr><th>Day</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    expect(built(html)).to.equal(html)
    const others =
      '<ol><li><strong>a</strong> <u>b</u> <i>c</i></li></ol><table><tfoot><tr><td>sum</td></tr></tfoot></table>'
    expect(built(others)).to.equal(others)
    const root = renderRichText(html)!
    expect([root.getAttribute('lang'), root.dir], 'in any language').to.deep.equal(['', 'auto'])
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
      '<!-- in\ntwo lines --><p>x</p>',
      '<STYLE>p {}</STYLE><scripted></scripted><p>x</p><script></script>',
    ]
    for (const payload of payloads) {
      const root = renderRichText(payload)!
      expect(root.querySelector('p')!.outerHTML, payload).to.equal('<p>x</p>')
      expect(root.textContent, payload).to.equal('x')
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

  it('takes the address of a link only from its own attribute, however that is written', () => {
    expect(built('<a data-href="https://a.example/">x</a>')).to.equal('<a>x</a>')
    expect(built('<A HREF="https://a.example/">x</A>')).to.equal(
      '<a href="https://a.example/" rel="noreferrer">x</a>',
    )
  })

  it('closes what an end tag leaves open, and keeps what follows', () => {
    expect(built('<p><b>x</p>y')).to.equal('<p><b>x</b></p>y')
    expect(built('<P>x</P>y')).to.equal('<p>x</p>y')
    expect(built('</div>after')).to.equal('after')
  })

  it('shows characters that are escaped as text', () => {
    expect(
      renderRichText('<p>&lt;b&gt; &amp;amp; &quot;x&quot;&nbsp;1 < 2 &unknown;</p>')!.textContent,
    ).to.equal('<b> &amp; "x"\u00a01 < 2 &unknown;')
  })

  it('returns nothing if there is nothing to read', () => {
    for (const html of ['', ' ', '<p> <br></p>', '<script>x</script>'])
      expect(built(html), html).to.equal(undefined)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fromHtml } from 'hast-util-from-html'
import { parseFragment, serialize } from 'parse5'
import { maxHtmlLength, sanitizeHtml } from '../../../src/proxy/validation/html.ts'

type Tree = ReturnType<typeof fromHtml>
type Node = Tree['children'][number]

describe('sanitizeHtml()', () => {
  it('keeps the markup that an email needs', () => {
    const letter =
      '<p>Dear <b>Ann</b>, <strong>please</strong> <i>look</i> <em>at</em> <u>this</u>:<br>now</p>' +
      '<ul><li>one</li></ul><ol><li>two</li></ol>' +
      '<table><thead><tr><th colspan="2">a</th></tr></thead><tbody><tr><td rowspan="3">b</td></tr></tbody>' +
      '<tfoot><tr><td>c</td></tr></tfoot></table>'
    assert.equal(sanitizeHtml(letter), letter)
  })

  it('keeps text in all scripts', () => {
    assert.equal(sanitizeHtml('1 &lt; 2 &amp; ñ 漢字 שלום 🎓'), '1 &lt; 2 &amp; ñ 漢字 שלום 🎓')
  })

  it('keeps the paragraphs of editors that use other block elements', () => {
    assert.equal(sanitizeHtml('a<div>b</div><div><div>c</div></div>'), 'a<p>b</p><p>c</p>')
    assert.equal(sanitizeHtml('<h1 class="x">Title</h1><section><p>b</p></section>'), '<p>Title</p><p>b</p>')
  })

  for (const [name, html, expected] of [
    [
      'attributes',
      '<p id="a" class="b" style="c" onclick="d" data-e="f" title="g" dir="rtl">x</p>',
      '<p>x</p>',
    ],
    ['elements, not their text', '<font color="red"><span>x</span></font><img src="y" alt="z">', 'x'],
    ['comments', 'a<!-- b --><![CDATA[c]]><?d?>e', 'ae'],
    ['scripts with their text', 'a<script>b</script><style>c</style><noscript>d</noscript>e', 'ae'],
    ['pictures with their text', 'a<svg><text>b</text></svg><math><mi>c</mi></math>d', 'ad'],
    ['frames with their text', 'a<iframe>b</iframe><template>c</template><title>d</title>e', 'ae'],
    [
      'spans that are no small number',
      '<table><tr><td colspan="0" rowspan="1e3">a</td><td colspan="100">b</td></tr></table>',
      '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>',
    ],
    ['cells outside of tables', '<td>a</td><li>b</li>', 'ab'],
    ['what turns text around', 'a\u202eb\u2066c\u200f&#x202e;d\u0007\u0000', 'abcd'],
  ] as const) {
    it(`removes ${name} (T19)`, () => assert.equal(sanitizeHtml(html), expected))
  }

  for (const [name, html, expected] of [
    [
      'the host',
      '<a href="https://evil.example/a?b#c">Sign in</a>',
      '<a href="https://evil.example/a?b#c">Sign in (evil.example)</a>',
    ],
    [
      'the port too',
      '<a href="https://evil.example:8443/">x</a>',
      '<a href="https://evil.example:8443/">x (evil.example:8443)</a>',
    ],
    [
      'a host in another script as it is requested',
      '<a href="https://bänk.example/">bänk.example</a>',
      '<a href="https://xn--bnk-qla.example/">bänk.example (xn--bnk-qla.example)</a>',
    ],
    [
      'the address',
      '<a href="mailto:a.b@evil.example">write</a>',
      '<a href="mailto:a.b@evil.example">write (a.b@evil.example)</a>',
    ],
    [
      'no host twice',
      '<a href="https://evil.example/x">https://Evil.example/y</a>',
      '<a href="https://evil.example/x">https://Evil.example/y</a>',
    ],
    [
      'no address twice',
      '<a href="mailto:a@b.example">A@b.example</a>',
      '<a href="mailto:a@b.example">A@b.example</a>',
    ],
    [
      'a host that only ends so',
      '<a href="https://k.example/">https://bank.example</a>',
      '<a href="https://k.example/">https://bank.example (k.example)</a>',
    ],
    [
      'a host that only begins so',
      '<a href="https://bank.example/">bank.example.evil.test</a>',
      '<a href="https://bank.example/">bank.example.evil.test (bank.example)</a>',
    ],
    [
      'a host in a path',
      '<a href="https://evil.example/">https://bank.example/evil.example</a>',
      '<a href="https://evil.example/">https://bank.example/evil.example (evil.example)</a>',
    ],
    [
      'nothing of a letter filled in',
      '<a href="mailto:a@b.example?bcc=c@d.example&body=e">a@b.example</a>',
      '<a href="mailto:a@b.example">a@b.example</a>',
    ],
  ] as const) {
    it(`shows the target of a link: ${name} (T19)`, () => {
      assert.equal(sanitizeHtml(html), expected)
      assert.equal(sanitizeHtml(expected), expected)
    })
  }

  for (const href of [
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'java\tscript:alert(1)',
      ' javascript:alert(1)',
    ],
    ...[
      '\u0001javascript:alert(1)',
      '&#106;avascript:alert(1)',
      '&#x6A&#x61vascript:alert(1)',
      'javascript&colon;alert(1)',
    ],
    ...[
      'java&Tab;script:alert(1)',
      'java&NewLine;script:x',
      'data:text/html,<script>x</script>',
      'vbscript:x',
      'blob:https://x/y',
    ],
    ...[
      '//evil.example',
      '/path',
      'path',
      '#hash',
      '?query',
      '',
      'http://evil.example',
      'https:evil.example',
      'https:/evil.example',
    ],
    ...[
      'https:\\\\evil.example',
      'https://evil.example\\@bank.example',
      'https://bank.example@evil.example/',
      'https://a:b@evil.example',
      'https://:pw@evil.example',
      'https://user@evil.example',
    ],
    ...[
      'ht\ntps://evil.example',
      'https://evil\n.example',
      'https://evil.example/a b',
      'https://',
      'https://[',
      'https://evil\u202e.example',
    ],
    ...[
      'ftp://evil.example',
      'file:///etc/passwd',
      'mailto:',
      'mailto:a',
      'mailto:a@b.example,c@d.example',
      'mailto:a%40b@c.example',
    ],
    ...[
      'mailto:a@b.example%0aBcc:c@d.example',
      'mailto:a b@c.example',
      'tel:1',
      'cid:x',
      'mhtml:x',
      'intent://x',
      'ms-word:ofe|u|https://x',
    ],
  ]) {
    it(`keeps the text but not the link: ${JSON.stringify(href)} (T19)`, () => {
      assert.equal(sanitizeHtml(`a<a href="${href}">b</a>c`), 'abc')
    })
  }

  it('removes links without text and nested links', () => {
    const table = '<table><tr><td><a href="https://b.example">y</a></td></tr></table>'
    assert.equal(sanitizeHtml('a<a href="https://evil.example"> \u200b<br></a>b'), 'a \u200b<br>b')
    assert.doesNotMatch(
      sanitizeHtml(`<a href="https://a.example">x${table}</a>`) ?? '',
      /<a [^]*<a [^]*<\/a>[^]*<\/a>/,
    )
  })

  it('distinguishes an empty field from one without readable content (T19)', () => {
    assert.equal(sanitizeHtml(''), '')
    for (const html of [
      ...[
        ' ',
        '\n',
        '\u200b',
        '&nbsp;',
        '&#8203;',
        '<br>',
        '<p></p>',
        '<p> <b>\u2060</b></p>',
        '<!-- x -->',
        '<img src=x>',
      ],
      ...[
        '<script>alert(1)</script>',
        '<svg>x</svg>',
        '<style>p{}</style>',
        '<a href="https://evil.example"></a>',
        '<table><tr><td></table>',
      ],
      ...[
        '\u202e',
        '\u0000',
        '\u3164',
        '<iframe srcdoc="x">y</iframe>',
        '<template>x</template>',
        '<p',
        '</p>',
      ],
    ]) {
      assert.equal(sanitizeHtml(html), undefined, html)
    }
    assert.equal(sanitizeHtml('<p>0</p>'), '<p>0</p>')
  })

  it('returns only allowed markup for hostile input, whichever parser reads it (T19)', () => {
    const payloads = contexts.flatMap((context) =>
      attacks.map((attack) => context.replace('$', () => attack)),
    )
    assert.ok(payloads.length >= 1000, `${payloads.length} payloads`)
    // Control: these are hostile, and the check detects it.
    assert.ok(attacks.filter((attack) => faults(attack).length > 0).length >= attacks.length * 0.8)
    for (const payload of payloads) holds(payload)
  })

  it('returns only allowed markup for any mixture of tags (T19)', () => {
    const names =
      'a b i p br u li ul ol table tbody tr td th caption div svg math mi mtext style script title template'.split(
        ' ',
      )
    const more =
      'form select option button noscript textarea foreignObject desc annotation-xml marquee nobr font h1 x-a'.split(
        ' ',
      )
    const name = fc.constantFrom(...names, ...more)
    const value = fc.constantFrom(
      'https://e.example',
      'javascript:x',
      '"><script>',
      "'",
      '2',
      'mailto:a@b.example',
      '&quot;>',
    )
    const attribute = fc.tuple(fc.constantFrom('href', 'style', 'onclick', 'colspan', 'id', 'xmlns'), value)
    const piece = fc.oneof(
      fc
        .tuple(name, fc.array(attribute, { maxLength: 2 }))
        .map(
          ([tag, attributes]) => `<${tag}${attributes.map(([key, text]) => ` ${key}="${text}"`).join('')}>`,
        ),
      name.map((tag) => `</${tag}>`),
      fc.constantFrom(
        'x',
        ' ',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '&lt;',
        '&#13;',
        '\r',
        '(e.example)',
        '\u202e',
        '<',
        '\0',
      ),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => holds(pieces.join(''))),
      { numRuns: 600 },
    )
  })

  it('neither multiplies open elements nor fails on deeply nested ones (T19)', () => {
    const open = Array.from({ length: 800 }, (_, index) => `<b ${index}>`).join('')
    const many = `<p>${open}`.padEnd(maxHtmlLength, '<p>x')
    // A parser multiplies this by a hundred: 800 times `<b>` become 21 MB.
    assert.ok((sanitizeHtml(many) ?? '').length < 10 * maxHtmlLength)

    for (const tag of ['<b>', '<ul><li>', '<div>', '<table><tr><td>', '<p><button>', '<x>']) {
      const deep = tag.repeat(maxHtmlLength / tag.length) + 'x'
      const result = sanitizeHtml(deep)
      assert.ok(result === undefined || result.includes('x'), tag)
    }
    assert.equal(sanitizeHtml('<ul><li>'.repeat(50) + 'x')?.split('<li>').length, 51)
  })
})

/** Asserts that a payload is refused, or that the result has only allowed markup and parses to the same tree. */
function holds(payload: string): void {
  const result = sanitizeHtml(payload)
  if (result === undefined) return
  assert.deepEqual(faults(result), [], payload)
  assert.equal(sanitizeHtml(result), result, payload)
  // The parser of the recipient builds the tree that was serialised.
  assert.equal(serialize(parseFragment(result)), result, payload)
}

/** Returns everything that is not on the allow-list, parsed as a fragment and as a document. */
function faults(html: string): string[] {
  const document = fromHtml(`<!doctype html><body>${html}`).children.at(-1)
  const body = document?.type === 'element' ? document.children.at(-1) : undefined
  return [
    ...faultsOf(fromHtml(html, { fragment: true }).children),
    ...(body?.type === 'element' && body.tagName === 'body' ? faultsOf(body.children) : ['no body']),
  ]
}

const allowed = new Set('p br b strong i em u ul ol li a table thead tbody tfoot tr th td'.split(' '))

function faultsOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return /[\u202a-\u202e\u2066-\u2069]/.test(node.value) ? ['bidi'] : []
    if (node.type !== 'element') return [node.type]
    const found = allowed.has(node.tagName) ? [] : [node.tagName]
    for (const [name, value] of Object.entries(node.properties)) {
      const text = String(value)
      const isSpan = ['td', 'th'].includes(node.tagName) && ['colSpan', 'rowSpan'].includes(name)
      if (isSpan && /^[1-9]\d?$/.test(text)) continue
      const isHref = node.tagName === 'a' && name === 'href'
      if (isHref && text.startsWith('https://') && textOf(node.children).includes(new URL(text).host))
        continue
      if (isHref && /^mailto:[^?%]+$/.test(text) && textOf(node.children).includes(text.slice(7))) continue
      found.push(`${node.tagName}[${name}=${text}]`)
    }
    return [...found, ...faultsOf(node.children)]
  })
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('')
}

const contexts = [
  '$',
  'text $ text',
  '<p>$</p>',
  '<p>$',
  '<a href="https://ok.example">$</a>',
  '<b><i>$</b></i>',
  '<table><tr><td>$</td></tr></table>',
  '<table>$</table>',
  '<ul><li>$</ul>',
  '<svg><desc>$</desc></svg>x',
  '<math><mtext>$</mtext></math>x',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style>$</style>x',
  '<select><option>$</select>x',
  '<noscript>$</noscript>x',
  '<textarea>$</textarea>x',
  '<p><button><div>$',
]

const attacks = [
  ...[
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil></sCrIpT>',
    '<script/x>alert(1)</script/y>',
    '<scr<script>ipt>alert(1)</script>',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '<img/src/onerror=alert(1)>',
    '<img src="x` `<script>alert(1)</script>"` `>',
    '<image src=x onerror=y>',
  ],
  ...[
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><style><img src=x onerror=y></style></svg>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  ],
  ...[
    '<math><mi//xlink:href="data:x,<script>alert(4)</script>">',
    '<math><maction actiontype="statusline#x" xlink:href="javascript:x">y</maction></math>',
  ],
  ...[
    '<math></br><img src onerror=alert(1)>',
    '<math><annotation-xml encoding="text/html"><script>x</script></annotation-xml></math>',
  ],
  ...[
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<noembed><img src=x onerror=y></noembed>',
    '<noframes><p title="</noframes><script>x</script>">',
  ],
  ...[
    '<style>@import "//evil"</style>',
    '<style><!--</style><script>x</script>-->',
    '<link rel=stylesheet href=//evil>',
    '<p style="background:url(javascript:x)">y</p>',
  ],
  ...[
    '<iframe src=javascript:alert(1)></iframe>',
    '<iframe srcdoc="<script>x</script>"></iframe>',
    '<object data=javascript:x></object>',
    '<embed src=javascript:x>',
  ],
  ...[
    '<form action=javascript:x><button>y</button></form>',
    '<form><form><input formaction=javascript:x type=submit></form>',
    '<isindex action=javascript:x>',
    '<input autofocus onfocus=x>',
  ],
  ...[
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="&#x6a;avascript:x">y</a>',
    '<a href=" \u0001javascript:x">y</a>',
  ],
  ...[
    '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
    '<a href="vbscript:x">y</a>',
    '<a href="//evil">x</a>',
    '<a href="https://bank.example@evil.example">x</a>',
  ],
  ...[
    '<a href="https://evil.example">Bank</a>',
    '<a href=https://evil.example onclick=x>Bank</a>',
    '<a href="https://evil.example"><a href="https://b.example">Bank</a></a>',
    '<a xlink:href="javascript:x" href="mailto:a@b.example?body=x">y</a>',
  ],
  ...[
    '<table><a href="https://evil.example">x<td>y',
    '<table><tr><td><table><td><script>x</script>',
    '<table><caption><svg><b><style><img src=x onerror=y>',
    '<table background=javascript:x><tr><td onclick=x>y',
  ],
  ...[
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    '<!--><img src=x onerror=y>-->',
    '<!---!><script>x</script>-->',
    '<![CDATA[<script>x</script>]]>',
    '<!x><script>y</script>',
    '<?xml version="1.0"?><x onclick=y>z</x>',
  ],
  ...[
    '<template><script>x</script></template>',
    '<template shadowrootmode=open><script>x</script></template>',
    '<x-b onclick=y>z</x-b>',
    '<x-script>alert(1)</x-script>',
  ],
  ...[
    '<title><img src=x onerror=y></title>',
    '<textarea><img src=x onerror=y></textarea><img src=z onerror=y>',
    '<xmp><p title="</xmp><svg/onload=x>">',
    '<plaintext><script>x</script>',
  ],
  ...[
    '<body onload=x>',
    '<html onclick=x><head><base href=//evil>',
    '<meta http-equiv=refresh content="0;url=javascript:x">',
    '<base href=//evil>',
    '<frameset onload=x>',
  ],
  ...[
    '<details open ontoggle=x>y</details>',
    '<video><source onerror=x></video>',
    '<audio src=x onerror=y>',
    '<marquee onstart=x>y</marquee>',
    '<keygen autofocus onfocus=x>',
  ],
  ...[
    '<b <script>alert(1)</script>0',
    '<p title="<script>x</script>">y',
    '<p id=a name=b class=c>y</p>',
    '<u lang=en dir=rtl>x',
    '<img src=x:x onerror=alert(1) //',
    '<div><![if IE]><script>x</script><![endif]></div>',
  ],
  ...[
    '<svg><foreignObject><p><style><!--</style><img src=x onerror=y>--></style>',
    '<math><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<svg><title><style><img src=x onerror=y>',
    '<nobr><math><nobr><img src=x onerror=y>',
  ],
]

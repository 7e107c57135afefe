import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundaryOf, readPartHeaders } from '../../../src/proxy/node/part-headers.ts'

describe('boundaryOf()', () => {
  it('returns the boundary of a type without other parameters', () => {
    for (const [type, boundary] of [
      ['multipart/form-data; boundary=abc', 'abc'],
      ['Multipart/Form-Data;Boundary=abc', 'abc'],
      ['multipart/form-data \t; \tboundary=abc \t', 'abc'],
      [`multipart/form-data; boundary="it's (a)/b:c=d?"`, undefined],
      [`multipart/form-data; boundary="it's(a)/b:c=d?"`, "it's(a)/b:c=d?"],
      [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
    ] as const)
      assert.equal(boundaryOf(type), boundary, type)
  })

  it('returns nothing if readers could disagree', () => {
    for (const type of [
      '',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      'multipart/form-data; boundary=a b',
      'multipart/form-data; boundary=a; charset=utf-8',
      'multipart/form-data; charset=utf-8; boundary=a',
      'multipart/form-data; boundary=a, multipart/form-data; boundary=b',
      'multipart/mixed; boundary=a',
      'text/plain, multipart/form-data; boundary=a',
      'x-multipart/form-data; boundary=a',
      `multipart/form-data; boundary=${'a'.repeat(71)}`,
    ])
      assert.equal(boundaryOf(type), undefined, type)
  })
})

describe('readPartHeaders()', () => {
  const file = { 'content-disposition': ['form-data; name="file"; filename="a.pdf"'] }
  const field = { 'content-disposition': ['form-data; name="meta"'] }

  it('returns the name, the filename and the type', () => {
    assert.deepEqual(readPartHeaders({ ...file, 'content-type': ['Application/PDF'] }), {
      name: 'file',
      filename: 'a.pdf',
      type: 'application/pdf',
      isText: false,
    })
    assert.deepEqual(readPartHeaders(field), {
      name: 'meta',
      filename: undefined,
      type: 'application/octet-stream',
      isText: true,
    })
  })

  it('ignores blanks around a type, its parameters, and a type that is none or has parts', () => {
    for (const [declared, type] of [
      [' \timage/png \t', 'image/png'],
      ['image/png; charset=x', 'image/png'],
      ['image/png \t;a', 'image/png'],
      ['image', 'application/octet-stream'],
      ['image/png x', 'application/octet-stream'],
      ['multipart/mixed; boundary=a', 'application/octet-stream'],
      ['x-multipart/mixed', 'x-multipart/mixed'],
      [`${'a'.repeat(100)}/${'b'.repeat(100)}`, `${'a'.repeat(100)}/${'b'.repeat(100)}`],
      [`${'a'.repeat(101)}/b`, 'application/octet-stream'],
      [`a/${'b'.repeat(101)}`, 'application/octet-stream'],
    ] as const)
      assert.equal(readPartHeaders({ ...file, 'content-type': [declared] })?.type, type, declared)
  })

  it('takes a part without a filename for a text if its type is one', () => {
    for (const [declared, isText] of [
      ['text/plain', true],
      ['Text/Plain ; charset="UTF-8"', true],
      ['application/json;charset=utf-8', true],
      ['text/plain; charset=latin1', false],
      ['text/html', false],
      ['x-text/plain', false],
    ] as const)
      assert.equal(readPartHeaders({ ...field, 'content-type': [declared] })?.isText, isText, declared)
  })

  it('accepts bytes as they are only', () => {
    for (const encoding of ['7bit', '8BIT', 'binary', ' binary '])
      assert.ok(readPartHeaders({ ...field, 'content-transfer-encoding': [encoding] }), encoding)
    for (const encoding of ['', 'base64', 'quoted-printable', 'x-7bit', '8bit2'])
      assert.equal(
        readPartHeaders({ ...field, 'content-transfer-encoding': [encoding] }),
        undefined,
        encoding,
      )
  })

  it('returns nothing if readers could disagree about the name or the file', () => {
    for (const disposition of [
      '',
      'form-data',
      'form-data; filename="a.pdf"',
      'attachment; name="file"',
      'x-form-data; name="file"',
      'form-data; name="file"; name="meta"',
      'form-data; name="file"; NAME="meta"',
      `form-data; name="file"; filename*=UTF-8''a.pdf`,
      'form-data; name="file',
      'form-data; name="file" x',
      'form-data; name="fi\0le"',
      'form-data; name="\xff"',
    ])
      assert.equal(readPartHeaders({ 'content-disposition': [disposition] }), undefined, disposition)
    assert.equal(readPartHeaders({}), undefined)
    const [disposition] = field['content-disposition']
    assert.equal(readPartHeaders({ 'content-disposition': [disposition!, disposition!] }), undefined)
    assert.equal(readPartHeaders({ ...field, 'x-other': [] }), undefined)
  })

  it('reads names in quotes and without, and an escaped quotation mark', () => {
    for (const [disposition, name] of [
      ['Form-Data;name=meta', 'meta'],
      [' form-data ; name = meta', undefined],
      ['form-data;\tNAME="me;ta"', 'me;ta'],
      [String.raw`form-data; name="a\"b\c"`, String.raw`a"b\c`],
      ['form-data; name=""', ''],
    ] as const)
      assert.equal(readPartHeaders({ 'content-disposition': [disposition] })?.name, name, disposition)
  })
})

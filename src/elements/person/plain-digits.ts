/** Returns a text in which the digits of all scripts are ASCII. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const wide = digit.normalize('NFKC')
    if (/^\d$/.test(wide)) return wide
    // The ten digits of a script follow each other, after something that is not a digit.
    let value = 0
    const code = digit.codePointAt(0)!
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
    return `${value}`
  })
}

/** Returns a typed or pasted text with ASCII digits, without blanks and without what nobody sees around it. */
export function plainText(text: string): string {
  return plainDigits(text).replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
}

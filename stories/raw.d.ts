/** A file that is imported as text. */
declare module '*?raw' {
  const text: string
  export default text
}

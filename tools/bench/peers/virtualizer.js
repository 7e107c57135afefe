// Lit's virtualizer, which renders only visible rows.
import '@lit-labs/virtualizer'
import { html, render } from 'lit'
import { unsafeHTML } from 'lit/directives/unsafe-html.js'

globalThis.showVirtualized = (root, rows, markupOf) =>
  render(
    html`<lit-virtualizer
      role="list"
      .items=${rows}
      .renderItem=${(row, index) =>
        html`<div style="inline-size:100%">${unsafeHTML(markupOf(row, rows[index - 1]))}</div>`}
    ></lit-virtualizer>`,
    root,
  )

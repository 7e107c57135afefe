// Elements of the portal. They are not part of Routeslip.
import { css, html, LitElement } from 'lit'

class PortalHeader extends LitElement {
  static properties = { heading: {} }
  static styles = css`
    header {
      display: flex;
      flex-wrap: wrap;
      gap: 0.5rem 2rem;
      padding: 1rem 1.5rem;
      background: #33235c;
      color: #fff;
    }

    a {
      color: inherit;
    }
  `

  render() {
    return html`
      <header>
        <strong>${this.heading}</strong>
        <nav aria-label="Portal"><a href="/">Home</a> <a href="/travel" aria-current="page">Travel</a></nav>
      </header>
    `
  }
}

class PortalCard extends LitElement {
  static properties = { heading: {} }
  static styles = css`
    :host {
      display: block;
      margin-block: 1.5rem;
      padding: 1.25rem 1.5rem;
      border-radius: 0.75rem;
      background: var(--portal-card);
      box-shadow: 0 1px 4px rgb(0 0 0 / 25%);
    }

    h2 {
      margin: 0 0 0.75rem;
      font-size: 1.2rem;
    }
  `

  render() {
    return html`
      <h2>${this.heading}</h2>
      <slot></slot>
    `
  }
}

customElements.define('portal-header', PortalHeader)
customElements.define('portal-card', PortalCard)

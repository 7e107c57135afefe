import { css } from 'lit'

export const formStyles = css`
  /* The form belongs to the page, so it keeps the page's own styles. */
  :host {
    line-height: inherit;
    text-align: inherit;
  }

  [part='base'] {
    gap: var(--_space);
    container-type: normal;
    overflow-wrap: inherit;
  }

  .own {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75em;
    line-height: 1.45;
    text-align: start;
    overflow-wrap: anywhere;
  }

  .own:empty {
    display: none;
  }

  .own p {
    margin: 0;
  }

  [part='documents'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    gap: 0.5em;
  }

  [part='documents'] .own {
    justify-items: start;
  }

  [part='documents'] ::slotted(*) {
    justify-self: stretch;
  }

  .detail,
  [part='status'] {
    color: var(--_muted);
  }

  [part='status']:empty {
    display: none;
  }
`

import { css } from 'lit'

export const formStyles = css`
  /* The form belongs to the page, so it keeps the page's own styles. */
  :host {
    line-height: inherit;
    text-align: inherit;
  }

  [part='base'] {
    gap: 1em;
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

  .problem {
    border-color: var(--_danger);
    border-inline-start-width: 0.3em;
    background: transparent;
    color: inherit;
  }

  .problem strong {
    color: var(--_danger);
  }

  .notice {
    outline-offset: 2px;
  }

  .notice .detail {
    font-weight: 400;
  }

  [part='conflicts'] {
    display: grid;
    justify-items: stretch;
  }

  fieldset {
    display: grid;
    gap: 0.35em;
    min-inline-size: 0;
    margin: 0;
    padding: 0.25em 0 0;
    border: 0;
  }

  legend {
    padding: 0;
    font-weight: 600;
  }

  label {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.5em;
    align-items: baseline;
  }

  input {
    accent-color: var(--_accent);
  }

  .buttons {
    margin-block-start: 0;
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

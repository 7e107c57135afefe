import { css } from 'lit'

export const filesStyles = css`
  .card {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  [part='header'] {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    gap: 0.1em 1em;
    padding: 0.7em 1em;
  }

  [part='labels'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1em;
  }

  [part='editor'] {
    display: grid;
    grid-template-columns: minmax(0, 34em);
    gap: 1em;
    inline-size: 100%;
    padding-block: 0.5em 0.6em;
  }

  .field {
    display: grid;
    gap: 0.3em;
    justify-items: start;
  }

  .field > label,
  legend {
    padding: 0;
    font-weight: 650;
  }

  .joined {
    display: flex;
    align-items: center;
    gap: 0.4em;
    inline-size: 100%;
  }

  .joined bdi {
    flex: none;
    max-inline-size: 40%;
  }

  fieldset {
    display: grid;
    gap: 0.5em;
    justify-items: start;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  legend {
    margin-block-end: 0.3em;
  }

  .label {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    gap: 0.5em;
    align-items: center;
    inline-size: 100%;
  }

  input,
  select {
    min-inline-size: 0;
    max-inline-size: 100%;
    min-block-size: 2.4em;
    padding: 0.3em 0.6em;
    border: 1px solid color-mix(in oklab, currentcolor 60%, transparent);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
  }

  input:not([type]) {
    inline-size: 100%;
  }

  /* While its button has the focus, the field matches neither :focus nor :focus-visible. */
  [type='date']:focus-within {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }

  [aria-invalid='true'] {
    border: 2px solid var(--_danger);
  }

  [part='editor'] .buttons {
    margin: 0;
  }

  summary {
    min-block-size: 24px;
    color: var(--_muted);
    font-size: 0.9375em;
    cursor: pointer;
  }

  [part='support'] {
    justify-self: start;
  }

  code {
    font-family: ui-monospace, monospace;
    font-size: 0.875em;
    user-select: all;
  }

  [part='empty'],
  [part='signed-out'],
  [part='forbidden'] {
    margin: 0;
  }

  @container (inline-size < 24em) {
    .label {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.25em;
    }
  }

  @media (pointer: coarse) {
    input,
    select {
      /* Smaller text would make phones zoom in. */
      font-size: max(1em, 16px);
      min-block-size: 44px;
    }
  }

  @media (forced-colors: none) {
    fieldset > button {
      margin-inline-start: -0.5em;
    }
  }
`

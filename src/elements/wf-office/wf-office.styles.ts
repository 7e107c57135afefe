import { css } from 'lit'

export const officeStyles = css`
  [part='base'] {
    gap: 0.3em;
    /* A field is as far from its label as the page decides. */
    margin-block: 0;
  }

  [part='base'].open {
    position: relative;
    z-index: 1000;
  }

  p {
    margin: 0;
  }

  .field {
    position: relative;
    display: flex;
  }

  input {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 2.5em;
    padding: 0.4em 0.6em;
    padding-inline-end: 2.75em;
    border: 1px solid var(--_muted);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
    font-variant-numeric: tabular-nums;
  }

  input[aria-invalid='true'] {
    border: 2px solid var(--_danger);
  }

  input:read-only {
    background: color-mix(in oklab, currentcolor 7%, transparent);
  }

  input:disabled {
    opacity: 0.6;
  }

  [part='toggle'] {
    position: absolute;
    inset-block: 2px;
    inset-inline-end: 2px;
    inline-size: 2.5em;
    min-block-size: 0;
    padding: 0;
    border: 0;
    border-radius: calc(var(--_radius) - 2px);
  }

  /* The hint keeps its place when a name or an error covers it. */
  .texts {
    display: grid;
  }

  .texts > p {
    grid-area: 1 / 1;
  }

  .covered {
    visibility: hidden;
  }

  .check,
  [part='hint'] {
    color: var(--_muted);
  }

  [part='name']:not(.check) {
    font-weight: 600;
  }

  p {
    font-size: 0.9375em;
  }

  @media (pointer: coarse) {
    /* Smaller text would make phones zoom in. */
    input {
      min-block-size: 44px;
      font-size: max(1em, 16px);
    }

    [part='toggle'] {
      inline-size: 44px;
    }
  }
`

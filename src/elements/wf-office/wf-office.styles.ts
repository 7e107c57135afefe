import { css } from 'lit'

export const officeStyles = css`
  [part='base'] {
    gap: 0.3em;
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

  [part='list'] {
    position: absolute;
    inset-block-start: calc(100% + 0.25em);
    inset-inline: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    box-shadow: 0 0.5em 1.5em rgb(0 0 0 / 25%);
    overflow: hidden;
  }

  [role='listbox'] {
    max-block-size: min(19em, 45dvh);
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 0.25em;
  }

  [part='option'] {
    display: flex;
    flex-wrap: wrap;
    align-content: center;
    gap: 0 0.6em;
    min-block-size: 2.25em;
    padding: 0.3em 0.5em;
    border-radius: calc(var(--_radius) - 2px);
    cursor: pointer;
  }

  [part='option']:hover {
    background: color-mix(in oklab, currentcolor 8%, transparent);
  }

  [aria-selected='true'] {
    outline: 2px solid var(--_focus);
    outline-offset: -2px;
    background: color-mix(in oklab, currentcolor 12%, transparent);
  }

  .key {
    flex: 0 0 8em;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
    font-weight: 600;
  }

  .name {
    flex: 1 1 12em;
  }

  .step,
  .check,
  [part='note'],
  [part='hint'] {
    color: var(--_muted);
  }

  [part='note'] {
    padding: 0.5em 0.75em;
  }

  [role='listbox']:not([hidden]) + [part='note'] {
    border-block-start: 1px solid var(--_line);
  }

  [part='name']:not(.check) {
    font-weight: 600;
  }

  p,
  .step {
    font-size: 0.9375em;
  }

  @media (pointer: coarse) {
    /* Smaller text would make phones zoom in. */
    input {
      font-size: max(1em, 16px);
    }

    input,
    [part='option'] {
      min-block-size: 44px;
    }
  }
`

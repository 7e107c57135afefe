import { css } from 'lit'

export const dropDownStyles = css`
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

  [part='list'].up {
    inset-block: auto calc(100% + 0.25em);
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
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }

  .name {
    flex: 1 1 9em;
    font-weight: 600;
  }

  .key,
  .step,
  [part='note'] {
    color: var(--_muted);
  }

  [part='note'] {
    padding: 0.5em 0.75em;
  }

  [role='listbox']:not([hidden]) + [part='note'] {
    border-block-start: 1px solid var(--_line);
  }

  .key,
  .step {
    font-size: 0.9375em;
  }

  @media (pointer: coarse) {
    [part='option'] {
      min-block-size: 44px;
    }
  }
`

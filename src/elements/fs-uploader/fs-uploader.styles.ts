import { css } from 'lit'

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
  }

  [part='base'] {
    display: grid;
    gap: 1em;
  }

  [part='zone'] {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.9em;
    padding: 1.4em 1.25em;
    border: 2px dashed var(--_line);
    border-radius: calc(var(--_radius) * 1.5);
    background: color-mix(in oklab, currentcolor 4%, transparent);
  }

  [part='zone'].over {
    border-style: solid;
    border-color: var(--_accent);
    background: color-mix(in oklab, var(--_accent) 12%, transparent);
  }

  [part='choose'] {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  [part='choose']:hover {
    background: color-mix(in oklab, var(--_accent) 86%, currentcolor);
  }

  .hint {
    flex-basis: 100%;
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  ul {
    display: grid;
    gap: 0.6em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.35em 1em;
    align-items: center;
    padding: 0.75em 1em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  @container (inline-size < 30em) {
    li {
      grid-template-columns: minmax(0, 1fr);
    }
  }

  .name {
    margin-inline-end: 0.4em;
    font-weight: 650;
  }

  .name:focus-visible {
    outline-offset: 4px;
  }

  .detail {
    color: var(--_muted);
    font-size: 0.9375em;
    font-variant-numeric: tabular-nums;
  }

  .stored {
    color: var(--_success);
    font-weight: 600;
  }

  .stored svg {
    margin-inline-end: 0.35em;
    vertical-align: -0.12em;
  }

  .failed {
    margin: 0;
    color: var(--_danger);
    font-weight: 600;
  }

  code {
    font-family: ui-monospace, monospace;
    font-size: 0.875em;
    user-select: all;
  }

  progress {
    grid-column: 1 / -1;
    inline-size: 100%;
    block-size: 0.5em;
    accent-color: var(--_accent);
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }
`

import { css } from 'lit'

/** The styles of the drop zone and the rows of files, shared by the elements that upload. */
export const uploadStyles = css`
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

  [part='zone'] button:disabled {
    cursor: not-allowed;
    opacity: 0.6;
  }

  .hint {
    flex-basis: 100%;
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  [part='files'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='file'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.35em 1em;
    align-items: center;
    padding: 0.75em 1em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  @container (inline-size < 30em) {
    [part='file'] {
      grid-template-columns: minmax(0, 1fr);
    }

    [part='file'] .actions {
      order: 1;
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

  .attention {
    font-weight: 600;
  }

  progress {
    grid-column: 1 / -1;
    inline-size: 100%;
    block-size: 0.5em;
    accent-color: var(--_accent);
    outline: 1px solid var(--_muted);
    outline-offset: -1px;
    border-radius: 1em;
    overflow: hidden;
  }

  /* Native tracks are too faint, or look like a full bar. */
  progress[value] {
    appearance: none;
    background: none;
  }

  progress::-webkit-progress-bar {
    background: none;
  }

  progress::-webkit-progress-value {
    background: var(--_accent);
  }

  progress::-moz-progress-bar {
    background: var(--_accent);
  }

  @media (forced-colors: active) {
    progress::-webkit-progress-value {
      background: Highlight;
    }

    progress::-moz-progress-bar {
      background: Highlight;
    }
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }
`

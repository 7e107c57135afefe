import { css } from 'lit'

/** The styles of the drop zone and the rows of files, shared by the elements that upload. */
export const uploadStyles = css`
  [part='zone'] {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.9em;
    padding: 1em;
    border: 2px dashed var(--_line);
    border-radius: var(--_radius);
  }

  /* Where files may be dropped. */
  .over {
    outline: 2px dashed var(--_accent);
    outline-offset: -2px;
    background: color-mix(in oklab, var(--_accent) 10%, transparent);
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
    margin: 0;
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 400;
  }

  .list {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  .header {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    gap: 0.1em 1em;
    margin: 0;
    padding: 0.75em 1em;
    font-weight: 650;
  }

  [part='files'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='file'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.35em 1em;
    align-items: center;
    padding: 0.7em 1em;
    border-block-start: 1px solid var(--_line);
  }

  .failed {
    background: color-mix(in oklab, var(--_danger) 8%, transparent);
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
    border-radius: var(--_pill);
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
    gap: 0.5em 1em;
  }

  .quiet {
    border-color: transparent;
  }

  /* Quiet buttons align by their text. Forced colors show their borders, which align instead. */
  @media (forced-colors: none) {
    .quiet {
      margin-inline: -0.5em;
      padding-inline: 0.5em;
    }
  }
`

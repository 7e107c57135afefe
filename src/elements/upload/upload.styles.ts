import { css } from 'lit'

/** The styles of the drop zone and of progress, shared by the elements that upload. */
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

  .failed {
    background: color-mix(in oklab, var(--_danger) 8%, transparent);
  }

  progress {
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
`

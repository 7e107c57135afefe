import { css } from 'lit'

export const overridesStyles = css`
  p,
  ul {
    margin: 0;
  }

  ul {
    display: grid;
    padding: 0;
    list-style: none;
  }

  [part='list'] {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  [part='override'] {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 0.6em 1em;
    padding: 0.9em 1em;
  }

  [part='override'] + [part='override'] {
    border-block-start: 1px solid var(--_line);
  }

  [part='override'] > div {
    flex: 1 1 16em;
    display: grid;
    gap: 0.2em;
    position: relative;
    min-inline-size: 0;
  }

  strong svg {
    margin-inline: 0.2em;
    vertical-align: -0.1em;
  }

  strong svg:dir(rtl) {
    scale: -1 1;
  }

  [part='effect'] {
    padding-inline-start: 0.6em;
    border-inline-start: 3px solid var(--_line);
  }

  [part='effect'].inForce {
    border-color: var(--_success);
  }

  [part='effect'].notYet {
    border-color: var(--_danger);
    font-weight: 600;
  }

  .detail {
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .attention {
    font-weight: 600;
  }

  dialog ul {
    gap: 0.35em;
    margin-block-start: 0.8em;
  }
`

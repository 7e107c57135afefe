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

  dialog .error:empty {
    margin: 0;
  }

  dialog p.detail {
    margin-block-start: 0.25em;
  }

  dialog ul {
    gap: 0.35em;
    margin-block-start: 0.8em;
  }

  fieldset {
    display: grid;
    gap: 0.15em;
    min-inline-size: 0;
    margin: 1.1em 0 0;
    padding: 0;
    border: 0;
  }

  legend,
  .field {
    font-weight: 650;
  }

  legend {
    margin-block-end: 0.35em;
    padding: 0;
  }

  fieldset label {
    display: flex;
    align-items: center;
    gap: 0.6em;
    min-block-size: 2.25em;
    padding-block: 0.25em;
    cursor: pointer;
  }

  [type='radio'] {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    margin: 0;
    accent-color: var(--_accent);
  }

  .field {
    display: grid;
    gap: 0.35em;
    margin-block-start: 1.1em;
  }

  .field input {
    inline-size: 100%;
    min-block-size: 2.5em;
    padding: 0.4em 0.6em;
    border: 1px solid color-mix(in oklab, currentcolor 60%, transparent);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 400;
  }

  [aria-invalid='true'] {
    border-color: var(--_danger);
  }
`

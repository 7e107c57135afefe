import { css } from 'lit'

/** The styles of fields in dialogs. */
export const dialogFieldStyles = css`
  fieldset {
    display: grid;
    gap: 0.15em;
    min-inline-size: 0;
    margin: 1.1em 0 0;
    padding: 0;
    border: 0;
  }

  legend {
    margin-block-end: 0.35em;
    padding: 0;
    font-weight: 650;
  }

  label {
    display: flex;
    align-items: center;
    gap: 0.6em;
    min-block-size: 2.25em;
    padding-inline: 0.5em;
    border-radius: var(--_radius);
    cursor: pointer;
  }

  label:not(.field):hover {
    background: color-mix(in oklab, currentcolor 7%, transparent);
  }

  [type='radio'],
  [type='checkbox'] {
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
    padding: 0;
    font-weight: 650;
  }

  .field > * {
    inline-size: 100%;
    min-block-size: 2.5em;
    padding: 0.4em 0.6em;
    border: 1px solid color-mix(in oklab, currentcolor 60%, transparent);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 400;
    resize: vertical;
  }

  [aria-invalid='true'] {
    border-color: var(--_danger);
  }

  dialog .error:empty {
    margin: 0;
  }

  .field + .detail {
    margin-block-start: 0.25em;
  }
`

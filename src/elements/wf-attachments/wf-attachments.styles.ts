import { css } from 'lit'

export const attachmentsStyles = css`
  [part='required'],
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4em 0.75em;
  }

  [part='required'] progress {
    inline-size: auto;
    flex: 1 1 8em;
  }

  [part='types'] {
    display: grid;
    gap: 0.75em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='type'] {
    display: grid;
    gap: 0.6em;
    padding: 0.75em 1em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  [part='type'].over {
    outline: 2px dashed var(--_accent);
  }

  [part='type'] [part='file'] {
    padding: 0.6em 0 0;
    border-width: 1px 0 0;
    border-radius: 0;
  }

  [part='download'] {
    justify-self: start;
  }

  .head > span {
    display: flex;
  }

  .head > div {
    flex: 1 1 8em;
  }

  .name + .detail {
    white-space: nowrap;
  }

  .there {
    color: var(--_success);
  }

  p {
    margin: 0;
  }

  form {
    display: contents;
  }

  label {
    display: grid;
  }

  input {
    min-block-size: 2.25em;
    inline-size: 100%;
    margin-block: 0.2em;
    padding-inline: 0.6em;
    border: 1px solid var(--_muted);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
  }
`

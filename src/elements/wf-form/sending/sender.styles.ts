import { css } from 'lit'

/** Styles of the reason why a form could not be saved, and of fields in conflict. */
export const senderStyles = css`
  .problem {
    border-color: var(--_danger);
    border-inline-start-width: 0.3em;
    background: transparent;
    color: inherit;
  }

  .problem strong {
    color: var(--_danger);
  }

  .notice {
    outline-offset: 2px;
  }

  .notice .detail {
    font-weight: 400;
  }

  a {
    padding-block: 0.25em;
    color: inherit;
  }

  [part='unfinished'] ul {
    display: grid;
    gap: 0.35em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='conflicts'],
  [part='unfinished'] {
    display: grid;
    justify-items: stretch;
  }

  fieldset {
    display: grid;
    gap: 0.35em;
    min-inline-size: 0;
    margin: 0;
    padding: 0.25em 0 0;
    border: 0;
  }

  legend {
    padding: 0;
    font-weight: 600;
  }

  label {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.5em;
    align-items: baseline;
  }

  label span {
    unicode-bidi: plaintext;
    text-align: match-parent;
  }

  input {
    accent-color: var(--_accent);
  }

  .buttons {
    margin-block-start: 0;
  }
`

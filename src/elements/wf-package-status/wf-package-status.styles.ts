import { css } from 'lit'

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
  }

  [part='base'] {
    display: grid;
    gap: 0.9em;
  }

  [part='state'] {
    display: inline-flex;
    align-items: center;
    gap: 0.45em;
    justify-self: start;
    margin: 0;
    padding: 0.2em 0.8em 0.2em 0.6em;
    border: 1px solid var(--wf-state-line, var(--_state-line));
    border-radius: 2em;
    background: var(--wf-state-background, var(--_state-background));
    color: var(--wf-state-color, var(--_state-color));
    font-weight: 650;

    --_state-line: light-dark(#8a929c, #79828d);
    --_state-background: light-dark(#eef0f3, #2a2f36);
    --_state-color: light-dark(#2c333b, #e3e7ec);
  }

  [part='state']:dir(rtl) {
    padding: 0.2em 0.6em 0.2em 0.8em;
  }

  [data-state='ROUTING'] {
    --_state-line: light-dark(#3f7fc4, #5f9ede);
    --_state-background: light-dark(#e6f1fd, #15304d);
    --_state-color: light-dark(#0a4a8a, #bcdcff);
  }

  [data-state='COMPLETE'] {
    --_state-line: light-dark(#3f9160, #56ad78);
    --_state-background: light-dark(#e6f5ec, #143322);
    --_state-color: light-dark(#14592f, #b7ebc9);
  }

  [data-state='VOID'] {
    --_state-line: light-dark(#c06a70, #c9747b);
    --_state-background: light-dark(#fdecec, #41191d);
    --_state-color: light-dark(#8a1420, #ffc9cc);
  }

  [data-state='ROUTING'] svg:dir(rtl) {
    scale: -1 1;
  }

  [part='facts'] {
    display: grid;
    gap: 0.6em 1.25em;
    margin: 0;
  }

  @container (inline-size > 26em) {
    [part='facts'] {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }

    [part='facts'] .wide {
      grid-column: 1 / -1;
    }
  }

  dt {
    color: var(--_muted);
    font-size: 0.875em;
  }

  dd {
    margin: 0;
  }

  ul {
    display: grid;
    gap: 0.25em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  strong {
    font-weight: 650;
  }

  .detail {
    display: block;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }

  .message {
    display: grid;
    justify-items: start;
    gap: 0.6em;
    margin: 0;
  }

  .message p {
    margin: 0;
  }

  .skeleton {
    display: grid;
    gap: 0.7em;
  }

  .skeleton span {
    block-size: 1.1em;
    border-radius: 0.4em;
    background: color-mix(in oklab, currentcolor 12%, transparent);
  }

  .skeleton span:first-child {
    inline-size: 8em;
    block-size: 1.9em;
    border-radius: 2em;
  }

  .skeleton span:last-child {
    inline-size: 70%;
  }

  dialog {
    inline-size: min(30em, 100vw - 2em);
    max-block-size: calc(100dvh - 2em);
    padding: 1.5em;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.5);
    background: var(--_surface);
    color: var(--_text);
    box-shadow: 0 1em 3em rgb(0 0 0 / 30%);
  }

  dialog::backdrop {
    background: rgb(12 16 20 / 55%);
  }

  dialog h2 {
    margin: 0;
    font: inherit;
    font-size: 1.25em;
    font-weight: 700;
  }

  dialog p,
  dialog .error {
    margin: 0.5em 0 0;
  }

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

  label:hover {
    background: color-mix(in oklab, currentcolor 7%, transparent);
  }

  input {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    margin: 0;
    accent-color: var(--_accent);
  }

  .error {
    margin: 0;
    color: var(--_danger);
    font-weight: 600;
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 0.6em;
    margin-block-start: 1.4em;
  }

  @media (prefers-reduced-motion: no-preference) {
    .skeleton span {
      animation: pulse 1.6s ease-in-out infinite alternate;
    }
  }

  @keyframes pulse {
    to {
      opacity: 0.45;
    }
  }
`

import { css } from 'lit'

export const attachmentsStyles = css`
  .head {
    display: grid;
    grid-template-columns: 1em minmax(0, 1fr) auto;
    gap: 0.4em 0.75em;
    align-items: center;
  }

  @container (inline-size < 30em) {
    .head {
      grid-template-columns: 1em minmax(0, 1fr);
    }

    [part='add'] {
      grid-column: 2;
      justify-self: start;
    }
  }

  [part='types'] {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='type'] {
    display: grid;
    gap: 0.5em;
    padding: 0.6em 1em;
  }

  [part='type'] + [part='type'],
  .header + [part='types'] {
    border-block-start: 1px solid var(--_line);
  }

  [part='type'] [part='file'] {
    margin-inline-start: 0.75em;
    padding-block: 0;
    padding-inline-end: 0;
    border: 0;
  }

  .needed {
    display: inline-block;
    padding-inline: 0.6em;
    border: 1px solid var(--wf-notice-line, light-dark(#c98a00, #d9a53f));
    border-radius: var(--_pill);
    background: var(--wf-notice-background, light-dark(#fff6df, #33290f));
    color: var(--wf-notice-color, light-dark(#4d3800, #ffe6ab));
    font-size: 0.8125em;
    font-weight: 600;
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
    min-block-size: 2.75em;
    inline-size: 100%;
    margin-block: 0.2em;
    padding-inline: 0.6em;
    border: 1px solid var(--_muted);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
  }

  /* Quiet buttons align by their text. Forced colors show their borders, which align instead. */
  @media (forced-colors: none) {
    .head > .quiet {
      margin-inline: -0.5em;
    }
  }
`

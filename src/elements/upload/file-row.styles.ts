import { css } from 'lit'

/** The styles of `renderFileRow()`. */
export const fileRowStyles = css`
  [part='files'] {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='file'] {
    display: grid;
    grid-template-columns: 1.25em minmax(0, 1fr) auto;
    gap: 0.15em 0.75em;
    align-items: start;
    padding: 0.6em 1em;
    border-block-start: 1px solid var(--_line);
  }

  .mark {
    padding-block-start: 0.35em;
    color: var(--_muted);
    line-height: 1;
  }

  .mark.done {
    color: var(--_success);
  }

  .mark.problem {
    color: var(--_danger);
  }

  .facts {
    /* As high as the buttons beside it, so that the names are in line with them. */
    padding-block: 0.3em;
  }

  .name {
    font-weight: 650;
  }

  .name:focus-visible {
    outline-offset: 4px;
  }

  a.name {
    display: inline-block;
    min-block-size: 24px;
    color: inherit;
    text-underline-offset: 0.2em;
  }

  .gone ~ .facts .name {
    font-weight: 400;
    color: var(--_muted);
  }

  .detail {
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375em;
    font-variant-numeric: tabular-nums;
  }

  /* A date that does not fit moves to the next line as a whole, with the mark behind it in its own direction. */
  .detail > span {
    display: inline-block;
    unicode-bidi: plaintext;
  }

  .attention {
    font-weight: 600;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em;
  }

  @container (inline-size < 34em) {
    [part='file'] {
      grid-template-columns: 1.25em minmax(0, 1fr);
    }

    .actions {
      grid-column: 2;
    }
  }

  @container (inline-size < 24em) {
    [part='file'] {
      grid-template-columns: minmax(0, 1fr);
    }

    /* Makes room for the buttons. The text shows the same. */
    .mark {
      display: none;
    }

    .actions {
      grid-column: 1;
    }
  }

  /* Quiet buttons align by their text. Forced colors show their borders, which align instead. */
  @media (forced-colors: none) {
    .actions > .quiet:last-child {
      margin-inline-end: -0.5em;
    }

    @container (inline-size < 34em) {
      .actions {
        column-gap: 0;
      }

      .actions > .quiet:first-child {
        margin-inline-start: -0.5em;
      }
    }
  }
`

import { css } from 'lit'

/** The styles of `renderFileRow()`. */
export const fileRowStyles = css`
  [part='files'] {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='file'] {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 0.15em 0.75em;
    padding: 0.6em 1em;
    padding-inline-start: 3em;
    border-block-start: 1px solid var(--_line);
  }

  .mark {
    inline-size: 1.25em;
    margin-inline-start: -2em;
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

  /* Buttons beside which this width does not fit move below it. */
  .facts {
    flex: 1 17em;
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

  /* The order of facts is that of the page. */
  .detail:has(span) {
    unicode-bidi: normal;
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

  @container (inline-size < 24em) {
    [part='file'] {
      padding-inline-start: 1em;
    }

    /* Makes room for the buttons. The text shows the same. */
    .mark {
      display: none;
    }
  }

  /* Quiet buttons align by their text. Forced colors show their borders, which align instead. */
  @media (forced-colors: none) {
    .actions {
      column-gap: 1em;
    }

    .actions > .quiet {
      margin-inline: -0.5em;
    }
  }
`

import { css } from 'lit'

export const reviewStyles = css`
  [part='review-title'] {
    margin: 0;
    font: inherit;
    font-size: 1.25em;
    font-weight: 700;
  }

  dl {
    margin: 0.5em 0 0;
    border-block-start: 1px solid var(--_line);
  }

  [part='answer'] {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto;
    gap: 0 1em;
    align-items: baseline;
    padding-block: 0.35em;
    border-block-end: 1px solid var(--_line);
  }

  dt {
    font-weight: 600;
  }

  dd {
    margin: 0;
  }

  dd bdi {
    white-space: pre-line;
  }

  dd.empty {
    color: var(--_muted);
  }

  .link {
    min-block-size: 2em;
    padding: 0.1em 0.4em;
    border-color: transparent;
    font-weight: 400;
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }

  [part='checks'] {
    display: block;
  }

  .end .buttons {
    margin-block-start: 0.75em;
  }

  @media (width <= 30em) {
    [part='answer'] {
      grid-template-columns: minmax(0, 1fr) auto;
    }

    dt {
      grid-column: 1 / -1;
    }
  }
`

import { css } from 'lit'

/** In addition to those of `<fs-files>`. */
export const sharesStyles = css`
  [part='filters'],
  [part='pages'],
  .fields {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.6em 1em;
  }

  [part='filters'],
  [part='all-files'],
  [part='pages'],
  [part='create'],
  slot,
  [part='application'],
  .card > .skeleton,
  .card > .error {
    padding: 0.7em 1em;
    border-block-start: 1px solid var(--_line);
  }

  .field > span {
    font-weight: 650;
    font-size: 0.9375em;
  }

  select {
    max-inline-size: 16em;
  }

  [part='shares'],
  [part='all-files'] ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='share'] {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 0.75em;
    align-items: start;
  }

  [part='all-files'] {
    display: grid;
    gap: 0.3em;
    background: color-mix(in oklab, currentcolor 4%, transparent);
  }

  [part='pages'] {
    align-items: center;
  }

  [part='pages'] span {
    flex: auto;
  }

  /* Without shares, there is no header above it. */
  slot:first-child,
  [part='filters']:first-child {
    border-block-start: 0;
  }

  slot,
  [part='create'] {
    display: grid;
    gap: 0.6em;
  }

  @container (inline-size < 24em) {
    [part='share'] {
      grid-template-columns: minmax(0, 1fr);
    }

    [part='share'] .actions {
      grid-column: 1;
    }

    [part='pages'] span {
      flex-basis: 100%;
    }

    .field,
    select {
      inline-size: 100%;
      max-inline-size: 100%;
    }
  }
`

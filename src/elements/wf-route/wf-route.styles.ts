import { css } from 'lit'

export const routeStyles = css`
  p,
  ol,
  ul {
    margin: 0;
  }

  ul {
    padding: 0;
    list-style: none;
  }

  ol {
    padding-inline-start: 1.6em;
  }

  [part='source'] {
    font-weight: 600;
  }

  [part='stop'] {
    padding-block: 0.4em;
    padding-inline-start: 0.3em;
    break-inside: avoid;
  }

  [part='stop']::marker {
    font-weight: 600;
  }

  .what,
  .detail {
    color: var(--_muted);
  }

  .detail {
    font-size: 0.9375em;
  }

  @media print {
    /* A printed page cannot load anything again. */
    button {
      display: none;
    }
  }

  .viewers {
    padding-inline-start: 1em;
  }

  /* Apart from the details of the person before. */
  ul + .detail {
    margin-block-start: 0.5em;
    font-weight: 600;
  }

  [part='person'] {
    padding-block: 0.15em;
  }

  .nobody > bdi {
    color: var(--_danger);
    font-weight: 600;
  }

  [part='differences'] p {
    flex-basis: 100%;
  }

  .notice li + li {
    margin-block-start: 0.3em;
  }
`

import { css } from 'lit'

export const uploaderStyles = css`
  /* In a long list, browsers lay out only the files in sight. */
  [part='file']:nth-child(n + 21) {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 5em;
  }

  [part='forbidden'] {
    margin: 0;
  }

  .stored {
    color: var(--_success);
    font-weight: 600;
  }

  .stored svg {
    margin-inline-end: 0.35em;
    vertical-align: -0.12em;
  }

  code {
    display: none;
  }
`

import { css } from 'lit'

export const styles = css`
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
    font-family: ui-monospace, monospace;
    font-size: 0.875em;
    user-select: all;
  }
`

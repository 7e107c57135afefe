import { css } from 'lit'

export const copyStyles = css`
  [part='copied'] > div {
    flex: 1 1 12em;
    display: grid;
    gap: 0.35em;
    min-inline-size: 0;
  }

  [part='copied'] ul {
    margin: 0;
    padding-inline-start: 1.25em;
  }

  [part='copied'] a {
    padding-block: 0.25em;
    color: inherit;
  }
`

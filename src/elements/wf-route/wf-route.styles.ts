import { css } from 'lit'

export const routeStyles = css`
  p,
  ol,
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  /* Without a list style at all, Safari would not call it a list. */
  ol {
    list-style: '';
  }

  [part='source'],
  [part='person'] > bdi {
    font-weight: 600;
  }

  /* The rail and the marks are those of a history, whose future a route is. */
  [part='stop'] {
    break-inside: avoid;
  }

  [part='stop'] > strong,
  [part='stop'] > .detail,
  [part='person'] {
    display: block;
    position: relative;
    padding-inline-start: 2.35em;
  }

  [part='stop'] > strong,
  [part='stop'] > .detail {
    padding-block-end: 0.4em;
    padding-inline-start: 2.69em;
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 700;
  }

  [part='stop'] > strong::before,
  [part='stop'] > .detail::before,
  [part='person']::after {
    content: '';
    position: absolute;
    inset-block: 0;
    inset-inline-start: calc(1em - 1px);
    border-inline-start: 2px dashed var(--_line);
  }

  [part='person']::after {
    inset-block-start: 1.85em;
    inset-inline-start: calc(0.875em - 1px);
  }

  [part='stop']:first-child > strong::before,
  [part='stop']:last-child > ul:last-child > :last-child::after {
    content: none;
  }

  .what,
  .detail {
    color: var(--_muted);
  }

  .detail {
    font-size: 0.9375em;
  }

  [part='person'] {
    padding-block: 0.15em 0.9em;
  }

  [part='person']::before {
    content: '';
    position: absolute;
    inset-block-start: 0.1em;
    inset-inline-start: 0;
    inline-size: 1.75em;
    block-size: 1.75em;
    border: 2px dashed var(--_line);
    border-radius: 50%;
  }

  .signed::before {
    border: 2px solid;
    color: var(--_success);
    content: '✓';
    content: '✓' / '';
    line-height: 1.45;
    text-align: center;
  }

  .nobody > bdi {
    color: var(--_danger);
  }

  [part='differences'] p {
    flex-basis: 100%;
  }

  .notice li + li {
    margin-block-start: 0.3em;
  }
`

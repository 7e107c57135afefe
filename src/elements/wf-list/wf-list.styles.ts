import { css } from 'lit'

export const listStyles = css`
  .card {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  [part='views'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
    padding: 0.6em 1em;
  }

  [part='views'] button[aria-pressed='true'] {
    border-color: currentcolor;
    background: color-mix(in oklab, currentcolor 8%, transparent);
  }

  .group {
    display: block;
    padding: 0.6em 1em 0.2em;
  }

  [part='requests'] {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part~='request'] {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 0.3em 0.75em;
    padding: 0.6em 1em;
  }

  [part~='request'] + [part~='request'],
  [part='known'],
  .group,
  .more,
  .card > p,
  .card > slot,
  [part='views'] ~ .skeleton {
    border-block-start: 1px solid var(--_line);
  }

  .card > :first-child {
    border-block-start: 0;
  }

  slot {
    display: block;
  }

  .facts {
    flex: 1 1 12em;
    min-inline-size: 0;
  }

  .name {
    font-weight: 650;
  }

  a {
    padding-block: 0.25em;
    color: inherit;
    text-decoration: underline var(--_accent) 2px;
    text-underline-offset: 0.25em;
  }

  .detail,
  [part='known'] p {
    color: var(--_muted);
    font-size: 0.9375em;
  }

  /* Each fact has its own direction, but their order is that of the page. */
  [part~='request'] .detail {
    unicode-bidi: normal;
  }

  .more,
  .card > p,
  .card > slot,
  .card > .skeleton,
  [part='known'] {
    margin: 0;
    padding: 0.6em 1em;
  }

  [part='empty'],
  [part='known'] p {
    margin: 0;
  }
`

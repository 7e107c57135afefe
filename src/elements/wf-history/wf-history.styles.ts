import { css } from 'lit'

export const historyStyles = css`
  p {
    margin: 0;
  }

  /* The least that a history with two events takes. */
  .skeleton {
    align-content: start;
    min-block-size: 10em;
  }

  [part='base'] {
    padding: min(3%, calc(var(--_space) * 1.25));
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  svg {
    inline-size: 1.75em;
    block-size: 1.75em;
    padding: 0.25em;
    border: 2px solid var(--_line);
    border-radius: 50%;
    forced-color-adjust: auto;
  }

  .signed svg,
  .complete svg {
    border-color: currentcolor;
    color: var(--_success);
  }

  .void svg,
  .remove svg {
    border-color: currentcolor;
    color: var(--_danger);
  }

  .now svg {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .future svg {
    border-style: dashed;
  }

  :is(.initiation, .office_opt_out, .unvoid, .re_initiate) svg:dir(rtl) {
    scale: -1 1;
  }

  [part='now'] {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.75em;
    font-weight: 650;
  }

  [part='jump'] {
    margin-inline-start: auto;
  }

  .more {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em 0.75em;
  }

  [part='event'] {
    display: grid;
    grid-template: auto auto / 1.75em minmax(12em, 1fr) auto;
    column-gap: 0.6em;
    align-items: baseline;
    padding-block-end: 1.1em;
  }

  [part='event'],
  summary {
    position: relative;
    z-index: 0;
  }

  [part='event'] > svg {
    grid-area: 2 / 1;
    align-self: start;
  }

  /*
   * The rail: from the event before to the mark, and from the mark to the next event. Not positioned, because Chromium
   * places absolute boxes of a grid wrongly in columns and on paper.
   */
  [part='event']::before,
  [part='event']::after,
  summary::before {
    content: '';
    grid-area: 1 / 1;
    place-self: stretch center;
    border-inline-start: 2px solid var(--_line);
  }

  [part='event']::after {
    grid-area: 2 / 1 / span 3;
    margin-block: 1.75em -1.1em;
  }

  summary::before {
    position: absolute;
    inset-block: 0;
    inset-inline-start: calc(0.875em - 1px);
  }

  details ::before,
  details ::after {
    border-inline-start-style: dashed !important;
  }

  [part='list'] > :first-child > [part='event']:first-child::before,
  [part='list']:not(.continued) > :last-child > [part='event']:last-child::after,
  details [part='event']:last-child::after {
    content: none;
  }

  [part='list']:not(.continued) > :last-child > [part='event']:last-child,
  details [part='event']:last-child {
    padding-block-end: 0;
  }

  [part='stop'] {
    grid-area: 1 / 2 / auto / -1;
    padding-block-end: 0.4em;
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 700;
  }

  .what {
    grid-area: 2 / 2;
    padding-block-start: 0.15em;
  }

  .what bdi {
    font-weight: 650;
  }

  .muted {
    color: var(--_muted);
    font-size: 0.875em;
  }

  .time {
    grid-area: 2 / 3;
  }

  .detail {
    /* Each detail is isolated. Without other text, their line would be from left to right. */
    unicode-bidi: normal;
    grid-area: 3 / 2 / auto / -1;
  }

  .highlight {
    z-index: -1;
    grid-area: 2 / 2 / span 3 / -1;
    align-self: stretch;
    margin-block: -0.3em -0.4em;
    margin-inline: -0.6em -0.3em;
    border: 1px solid transparent;
    border-radius: var(--_radius);
    background: color-mix(in oklab, var(--_accent) 10%, transparent);
  }

  /* A name and how long ago something was do not fit side by side. */
  @container (inline-size < 34em) {
    [part='event'] {
      grid-template-columns: 1.75em 1fr;
    }

    .time {
      grid-area: 3 / 2 / auto / -1;
    }

    .detail {
      grid-row: 4;
    }
  }

  .chunk {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 170em;
  }

  /* Contained content draws nothing outside. */
  .chunk :focus-visible {
    outline-offset: -2px;
  }

  [part='future'] {
    margin-block-start: calc(var(--_space) * -1);
  }

  summary {
    min-block-size: 2.25em;
    padding-block-end: 0.6em;
    padding-inline-start: 2.35em;
    font-weight: 650;
    cursor: pointer;
  }

  details:not([open]) > summary {
    padding-block-end: 0;
  }

  @media print {
    /* Backgrounds are not printed. */
    .now svg {
      background: none;
      color: inherit;
    }

    .more {
      display: none;
    }

    details::details-content {
      block-size: auto;
      content-visibility: visible;
    }
  }
`

import { css } from 'lit'

export const historyStyles = css`
  p {
    margin: 0;
  }

  svg {
    box-sizing: border-box;
    inline-size: 1.75em;
    block-size: 1.75em;
    padding: 0.3em;
    border: 1px solid;
    border-radius: 50%;
    forced-color-adjust: auto;
  }

  .signed svg,
  .complete svg {
    color: var(--_success);
  }

  .void svg,
  .remove svg {
    color: var(--_danger);
  }

  .now svg,
  b {
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
    align-items: center;
    gap: 0.7em;
    padding: 0.5em 0.6em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    font-weight: 650;
  }

  [part='event'] {
    display: grid;
    grid-template-columns: auto minmax(12em, 1fr) auto;
    gap: 0 0.7em;
    align-items: center;
    padding-block-end: 0.8em;
  }

  [part='event'] svg {
    grid-area: 2 / 1;
  }

  /* From one event to the next. */
  [part='event']::after {
    content: '';
    grid-area: 3 / 1;
    place-self: stretch center;
    min-block-size: 0.6em;
    margin-block: 0.2em -0.6em;
    border-inline-start: 2px solid var(--_line);
  }

  div:last-child > [part='event']:last-child::after {
    content: none;
  }

  .first {
    padding-block-start: 0.4em;
  }

  [part='stop'] {
    grid-area: 1 / 1 / auto / -1;
    padding-block-end: 0.4em;
    font-size: 0.9375em;
    font-weight: 650;
  }

  b {
    padding: 0.1em 0.7em;
    border: 1px solid var(--_accent);
    border-radius: 2em;
  }

  .what {
    grid-area: 2 / 2;
  }

  .what bdi {
    font-weight: 650;
  }

  .muted {
    color: var(--_muted);
    font-size: 0.9375em;
  }

  .time {
    grid-area: 2 / 3;
  }

  .detail {
    grid-area: 3 / 2 / auto / -1;
  }

  /* A name and how long ago something was do not fit side by side. */
  @container (inline-size < 36em) {
    [part='event'] {
      grid-template-columns: auto 1fr;
    }

    .time {
      grid-area: 3 / 2 / auto / -1;
    }

    .detail {
      grid-row: 4;
    }

    [part='event']::after {
      grid-row: 3 / span 2;
    }
  }

  .chunk {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 68em;
  }

  summary {
    min-block-size: 2.25em;
    align-content: center;
    font-weight: 650;
    cursor: pointer;
  }

  @media print {
    /* Backgrounds are not printed. */
    .now svg,
    b {
      background: none;
      color: inherit;
    }

    .chunk {
      content-visibility: visible;
    }

    [part='event'] {
      break-inside: avoid;
    }

    details::details-content {
      block-size: auto;
      content-visibility: visible;
    }
  }
`

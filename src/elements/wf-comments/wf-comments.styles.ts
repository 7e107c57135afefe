import { css } from 'lit'

export const commentsStyles = css`
  p {
    margin: 0;
  }

  [part='base'] {
    padding: min(3%, calc(var(--_space) * 1.25));
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  [part='filter'] {
    /* Its content loads later. */
    min-block-size: 2.75em;
  }

  .detail,
  .inactive {
    color: var(--_muted);
  }

  .detail {
    display: inline-block;
    font-size: 0.9375em;
  }

  .chunk {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 250em;
  }

  /* Contained content draws nothing outside. */
  .chunk :focus-visible {
    outline-offset: -2px;
  }

  [part='comment'] {
    display: grid;
    justify-items: start;
    gap: 0.35em;
    padding-block: 0.9em;
    /* Space for the initials, which load later. */
    padding-inline-start: 2.75em;
  }

  [part='comment'] + [part='comment'],
  div + div > [part='comment']:first-child {
    border-block-start: 1px solid var(--_line);
  }

  [part='comments'] > :first-child > :first-child {
    padding-block-start: 0;
  }

  [part='comments'] > :last-child > :last-child {
    padding-block-end: 0;
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.6em;
    inline-size: 100%;
  }

  /* The time is at the end of the line, or at the start of its own. */
  .head > :nth-last-child(2) {
    margin-inline-end: auto;
  }

  .mark {
    display: inline-block;
    padding-inline: 0.5em;
    border: 1px solid var(--_line);
    border-radius: var(--_pill);
    font-size: 0.875em;
    font-weight: 600;
  }

  .mark svg {
    margin-inline-end: 0.3em;
    vertical-align: -0.1em;
  }

  [part='text'] {
    /* The card is as wide as its container; lines stay short enough to read. */
    max-inline-size: 44em;
    white-space: pre-wrap;
  }

  .inactive .detail {
    color: inherit;
  }

  .inactive [part='text'] {
    text-decoration: line-through;
  }
`

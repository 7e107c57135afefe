import { css } from 'lit'

/**
 * The shared styles of all elements: colors that follow the page's `color-scheme`, buttons, and notices. Text inherits
 * the font and color of the page. Custom properties override each color.
 */
export const controlStyles = css`
  :host {
    --_accent: var(--wf-accent, light-dark(#0b5cad, #8ec1ff));
    --_on-accent: var(--wf-on-accent, light-dark(#fff, #10202f));
    --_focus: var(--wf-focus, #2e7fd8);
    --_danger: var(--wf-danger, light-dark(#a61b29, #ff9da3));
    --_on-danger: var(--wf-on-danger, light-dark(#fff, #2b0a0d));
    --_surface: var(--wf-surface, light-dark(#fff, #1d2126));
    --_text: var(--wf-text, light-dark(#1c2126, #eceff2));
    --_success: var(--wf-success, light-dark(#14592f, #b7ebc9));
    --_muted: color-mix(in oklab, currentcolor 76%, transparent);
    --_line: var(--wf-line, color-mix(in oklab, currentcolor 26%, transparent));
    --_radius: var(--wf-radius, 0.5em);
    --_pill: calc(var(--_radius) * 4);
    --_space: var(--wf-space, 1em);

    display: block;
    box-sizing: border-box;
    line-height: 1.45;
    text-align: start;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  [part='base'] {
    display: grid;
    /* Skipped content remembers its width, which must not keep the column from becoming narrower. */
    grid-template-columns: minmax(0, 1fr);
    gap: var(--_space);
    /* Keeps headings and other elements away. Not on the host, because a page may reset its styles. */
    margin-block: var(--_space);
    container-type: inline-size;
  }

  :host(:first-child) [part='base'] {
    margin-block-start: 0;
  }

  :host(:last-child) [part='base'] {
    margin-block-end: 0;
  }

  [part='base'] {
    overflow-wrap: anywhere;
  }

  /* Sentences keep their own direction on pages with the other one, but align to the start of the page. */
  h2,
  p,
  dt,
  dd,
  li,
  label,
  legend,
  strong,
  button,
  .detail,
  .error,
  .attention {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4em;
    min-block-size: 2.25em;
    padding: 0.3em 0.9em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: transparent;
    color: inherit;
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    cursor: pointer;
  }

  button:hover,
  .button:hover {
    border-color: currentcolor;
    background: color-mix(in oklab, currentcolor 8%, transparent);
  }

  /* Three styles: the one step that matters most, other steps, and steps that are at hand in every row of a list. */
  .solid {
    --_fill: var(--_accent);

    border-color: transparent;
    background: var(--_fill);
    color: var(--_on-accent);
  }

  .solid:hover {
    background: color-mix(in oklab, var(--_fill) 86%, currentcolor);
  }

  /* The accent of a site need not be readable as text. */
  .quiet {
    padding-inline: 0.5em;
    border-color: transparent !important;
    text-decoration: underline var(--_accent) 2px;
    text-underline-offset: 0.25em;
  }

  button[aria-disabled='true'] {
    cursor: default;
    opacity: 0.6;
  }

  button.danger {
    border-color: var(--_danger);
    color: var(--_danger);
    text-decoration-color: currentcolor;
  }

  button.danger.solid {
    --_fill: var(--_danger);

    color: var(--_on-danger);
  }

  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }

  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.75em;
    margin: 0;
    padding: 0.5em 0.75em;
    border: 1px solid var(--wf-notice-line, light-dark(#c98a00, #d9a53f));
    border-radius: var(--_radius);
    background: var(--wf-notice-background, light-dark(#fff6df, #33290f));
    color: var(--wf-notice-color, light-dark(#4d3800, #ffe6ab));
  }

  .notice p {
    flex: 1 1 12em;
    margin: 0;
  }

  .announcement {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  svg {
    flex: none;
    inline-size: 1em;
    block-size: 1em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .message {
    display: grid;
    justify-items: start;
    gap: 0.6em;
    margin: 0;
  }

  .message p {
    margin: 0;
  }

  .skeleton {
    display: grid;
    gap: 0.7em;
  }

  .skeleton span {
    block-size: 1.1em;
    /* Forced colors remove the background, and show the border. */
    border: 1px solid transparent;
    border-radius: var(--_radius);
    background: color-mix(in oklab, currentcolor 12%, transparent);
  }

  .skeleton span:first-child {
    inline-size: 8em;
    block-size: 1.9em;
    border-radius: var(--_pill);
  }

  .skeleton span:last-child {
    inline-size: 70%;
  }

  .error {
    margin: 0;
    color: var(--_danger);
    font-weight: 600;
  }

  /* The button that continues comes first, also for the keyboard. */
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6em;
    margin-block-start: 1.4em;
  }

  @media (width <= 30em) {
    .buttons {
      flex-direction: column;
    }
  }

  @media (pointer: coarse) {
    button,
    .button,
    summary {
      min-block-size: 44px !important;
    }
  }

  @media print {
    /* Nothing that only a screen can do. */
    button,
    .button,
    [part='zone'],
    [part='filter'],
    dialog {
      display: none !important;
    }

    li,
    [role='listitem'] {
      break-inside: avoid;
    }

    /* The batches of long lists. */
    .chunk {
      content-visibility: visible !important;
    }
  }

  @media (prefers-reduced-motion: no-preference) {
    .skeleton span {
      animation: pulse 1.6s ease-in-out infinite alternate;
    }
  }

  @keyframes pulse {
    to {
      opacity: 0.45;
    }
  }
`

import { css } from 'lit'

/**
 * What all elements share: colours that follow the page's `color-scheme`, buttons, and notices. Text takes the font and
 * colour of the page; each colour can be set from outside.
 */
export const controls = css`
  :host {
    --_accent: var(--wf-accent, light-dark(#0b5cad, #8ec1ff));
    --_on-accent: var(--wf-on-accent, light-dark(#fff, #10202f));
    --_danger: var(--wf-danger, light-dark(#a61b29, #ff9da3));
    --_on-danger: var(--wf-on-danger, light-dark(#fff, #2b0a0d));
    --_surface: var(--wf-surface, light-dark(#fff, #1d2126));
    --_text: var(--wf-text, light-dark(#1c2126, #eceff2));
    --_success: var(--wf-success, light-dark(#14592f, #b7ebc9));
    --_muted: color-mix(in oklab, currentcolor 76%, transparent);
    --_line: var(--wf-line, color-mix(in oklab, currentcolor 26%, transparent));
    --_radius: var(--wf-radius, 0.5em);

    box-sizing: border-box;
    line-height: 1.45;
    text-align: start;
    overflow-wrap: anywhere;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  *,
  ::before,
  ::after {
    box-sizing: inherit;
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

  button[aria-disabled='true'] {
    cursor: default;
    opacity: 0.6;
  }

  button.danger {
    border-color: var(--_danger);
    color: var(--_danger);
  }

  button.danger.solid {
    background: var(--_danger);
    color: var(--_on-danger);
  }

  button.danger.solid:hover {
    background: color-mix(in oklab, var(--_danger) 86%, currentcolor);
  }

  :focus-visible {
    outline: 2px solid var(--_accent);
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
`

import { css } from 'lit'

/** The styles of dialogs, apart from those of all elements because most dialogs load when people open them. */
export const dialogStyles = css`
  dialog {
    inline-size: min(30em, 100vw - 2em);
    max-block-size: calc(100dvh - 2em);
    padding: 1.5em;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.5);
    background: var(--_surface);
    color: var(--_text);
    box-shadow: 0 1em 3em rgb(0 0 0 / 30%);
    overflow-wrap: anywhere;
    /* At its end, the page behind it stays where it is. */
    overscroll-behavior: contain;
  }

  dialog::backdrop {
    background: rgb(12 16 20 / 55%);
  }

  dialog h2 {
    margin: 0;
    font: inherit;
    font-size: 1.25em;
    font-weight: 700;
  }

  dialog p,
  dialog .error {
    margin: 0.5em 0 0;
  }

  @media (pointer: coarse) {
    dialog label,
    dialog .field > * {
      min-block-size: 44px !important;
    }
  }

  @media (width <= 30em) {
    dialog {
      inline-size: calc(100vw - 1em);
      padding: 1em;
    }
  }
`

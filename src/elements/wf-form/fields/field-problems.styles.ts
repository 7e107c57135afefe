import { css } from 'lit'

/** The message at a field, in the page. The page can restyle it, because the selector has no weight. */
export const messageStyles = css`
  :where(.wf-problem) {
    display: block;
    margin-block: 0.25em;
    padding-inline-start: 0.6em;
    border-inline-start: 0.25em solid;
    color: var(--wf-danger, light-dark(#a61b29, #ff9da3));
    font-weight: 600;
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
`

/** The summary, in the shadow root of the form. */
export const summaryStyles = css`
  [part='problems'] {
    padding: 0.75em 1em;
    border: 0.2em solid var(--_danger);
    border-radius: var(--_radius);
  }

  [part='problems-title'] {
    margin: 0 0 0.4em;
    font-size: 1.15em;
  }

  [part='problems'] ul {
    display: grid;
    gap: 0.35em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  [part='problem'] {
    padding-block: 0.25em;
    color: var(--_danger);
    font-weight: 600;
  }
`

import { css } from 'lit'

export const packageStatusStyles = css`
  [part='base'] {
    padding: min(3%, calc(var(--_space) * 1.25));
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  ul.row {
    display: contents;
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em;
  }

  /* So weak that each kind can differ from it. */
  :where([part='state'], [part='environment']) {
    display: inline-flex;
    position: relative;
    align-items: center;
    gap: 0.45em;
    margin: 0;
    padding: 0.1em 0.7em;
    border: 1px solid var(--wf-state-line, var(--_state-line));
    border-radius: var(--_pill);
    background: var(--wf-state-background, var(--_state-background));
    color: var(--wf-state-color, var(--_state-color));
    font-size: 0.875em;
    font-weight: 650;

    --_state-line: light-dark(#8a929c, #79828d);
    --_state-background: light-dark(#eef0f3, #2a2f36);
    --_state-color: light-dark(#2c333b, #e3e7ec);
  }

  [part='environment'] {
    border-style: dashed;
    background: none;
    color: inherit;
  }

  [data-state='ROUTING'] {
    --_state-line: light-dark(#3f7fc4, #5f9ede);
    --_state-background: light-dark(#e6f1fd, #15304d);
    --_state-color: light-dark(#0a4a8a, #bcdcff);
  }

  [data-state='COMPLETE'] {
    --_state-line: light-dark(#3f9160, #56ad78);
    --_state-background: light-dark(#e6f5ec, #143322);
    --_state-color: light-dark(#14592f, #b7ebc9);
  }

  [data-state='VOID'] {
    --_state-line: light-dark(#c06a70, #c9747b);
    --_state-background: light-dark(#fdecec, #41191d);
    --_state-color: light-dark(#8a1420, #ffc9cc);
  }

  [data-state='ROUTING'] svg:dir(rtl) {
    scale: -1 1;
  }

  .lead {
    margin: 0;
    font-size: 1.375em;
    line-height: 1.25;
    text-wrap: balance;
  }

  .lead + .detail {
    margin-block-start: 0.25em;
  }

  [part='facts'] {
    display: grid;
    gap: 0.35em;
    margin: 0;
  }

  [part='facts']:not(:has(*)) {
    display: none;
  }

  [part='lead'] + [part='facts'] {
    padding-block-start: var(--_space);
    border-block-start: 1px solid var(--_line);
  }

  @container (inline-size > 26em) {
    [part='facts'] {
      grid-template-columns: fit-content(10em) minmax(0, 1fr);
      gap: 0.35em 1.25em;
    }

    [part='facts'] > div {
      display: contents;
    }
  }

  dt {
    color: var(--_muted);
  }

  dd {
    margin: 0;
  }

  .place {
    visibility: hidden;
  }

  ul {
    display: grid;
    gap: 0.5em;
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .detail {
    display: block;
    color: var(--_muted);
    font-size: 0.9375em;
  }

  [part='reason'] {
    margin-block-start: 0.4em;
    padding-inline-start: 0.75em;
    border-inline-start: 3px solid var(--_line);
    white-space: pre-wrap;
  }

  /* A table may be wider than the page. */
  [part='details'] {
    overflow: auto;
  }

  [part='details'] * {
    text-align: start;
  }

  [part='details'] :is(p, ul, ol) {
    display: block;
    margin: 0 0 0.5em;
    overflow-wrap: anywhere;
  }

  [part='details'] :is(ul, ol) {
    padding-inline-start: 1.5em;
    list-style: revert;
  }

  table {
    border-collapse: collapse;
  }

  th,
  td {
    min-inline-size: 3.5em;
    padding: 0.2em 0.5em;
    border: 1px solid var(--_line);
  }

  p {
    margin: 0;
  }

  details[open] {
    flex-basis: 100%;
  }

  summary {
    list-style: none;
  }

  summary::after {
    content: '';
    inline-size: 0.45em;
    block-size: 0.45em;
    border: solid;
    border-width: 0 2px 2px 0;
    rotate: 45deg;
    translate: 0 -0.1em;
  }

  [open] > summary::after {
    rotate: 225deg;
    translate: 0 0.15em;
  }

  details ul {
    gap: 0;
    max-inline-size: 24em;
    margin-block-start: 0.5em;
    padding: 0.3em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }

  details [part] {
    justify-content: start;
    inline-size: 100%;
    padding-inline: 0.5em;
    border: 0;
    text-align: start;
    text-decoration: none;
  }
`

/** Marks the text as styles for editors and for the build. Badges do without Lit, and with it without its `css`. */
const css = String.raw

export const badgeStyles = css`
  :host {
    display: inline-block;
    line-height: 1.45;
    text-align: start;
  }

  :host([hidden]) {
    display: none !important;
  }

  /* So weak that each state can differ from it. About as wide as most states. */
  :where([part]) {
    display: inline-block;
    box-sizing: border-box;
    min-inline-size: 8.5em;
    padding: 0.1em 0.7em;
    border: 1px solid var(--wf-state-line, var(--_state-line));
    border-radius: calc(var(--wf-radius, 0.5em) * 4);
    background: var(--wf-state-background, var(--_state-background));
    color: var(--wf-state-color, var(--_state-color));
    font-weight: 650;
    white-space: nowrap;

    --_state-line: light-dark(#8a929c, #79828d);
    --_state-background: light-dark(#eef0f3, #2a2f36);
    --_state-color: light-dark(#2c333b, #e3e7ec);
  }

  [part='loading'] {
    border-color: transparent;
  }

  [part~='stale'],
  [part='failure'] {
    border-style: dashed;
  }

  [part='failure'] {
    background: none;
    color: inherit;
  }

  [part='no-proxy'],
  [part='not-configured'] {
    border: 0;
    background: none;
    color: var(--wf-danger, light-dark(#a61b29, #ff9da3));
    overflow-wrap: anywhere;
    /* An English sentence on a page from right to left. */
    unicode-bidi: plaintext;
    white-space: normal;
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

  svg {
    inline-size: 1em;
    block-size: 1em;
    margin-inline-end: 0.45em;
    vertical-align: -0.125em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
  }

  svg + svg {
    margin-inline: 0.45em 0;
  }

  [data-state='ROUTING'] svg:dir(rtl) {
    scale: -1 1;
  }

  /* People see it while the badge has the focus. */
  :focus {
    white-space: normal;
  }

  /* For assistive technology. Not positioned, because that takes longer for hundreds of badges. */
  :not(:focus) > span {
    display: inline-block;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    opacity: 0;
  }
`

/** Two tokens that appear on each other, and their minimum contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
export const colorPairs = [
  ['--wf-on-accent', '--wf-accent', 4.5],
  ['--wf-on-danger', '--wf-danger', 4.5],
  ['--wf-text', '--wf-surface', 4.5],
  ['--wf-danger', '--wf-surface', 4.5],
  ['--wf-success', '--wf-surface', 4.5],
  ['--wf-notice-color', '--wf-notice-background', 4.5],
  ['--wf-accent', '--wf-surface', 3],
  ['--wf-focus', '--wf-surface', 3],
] as const

// The messages of <wf-form> in the step before a submission, apart from `en-form.ts` because they load with that step.

export const formReview = {
  title: 'Check your answers before you submit',
  /** An empty field. */
  notEntered: 'Not entered',
  /** Whether a single checkbox is checked. */
  yes: 'Yes',
  no: 'No',
  change: 'Change',
  /** The same for screen readers. */
  changeOf: 'Change: {label}',
  /** The effect of the button to submit. */
  effect: 'Submitting starts the routing. The first approvers get the request in their inboxes.',
  submit: 'Submit',
  back: 'Back to the form',
} as const

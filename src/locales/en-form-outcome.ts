// The messages of <wf-form> about saving and submitting, apart from `en-form.ts` because they load when a person begins to edit.

export const formOutcome = {
  /** Each of the next two comes before a reason. */
  notSaved: 'Not saved.',
  notSubmitted: 'Saved, but not submitted.',
  forbidden: 'You don’t have permission to do this. Ask the owner of the form.',
  refused: 'The service refused it.',
  refusedHere: 'This site refused it.',
  /** A limit refuses the request: nothing was sent to the service. */
  limited: 'You have reached a limit of this site. Try again after {time}.',
  unavailable: 'The service could not be reached. Try again.',
  sentElsewhere: 'This request is being sent from another tab. Look there first.',
  /** The service does not save a draft without these fields, whose labels follow. The first only if the browser keeps what is typed. */
  keptHere: 'Kept in this browser.',
  alsoEnter: 'To save it with the service, also enter:',
  /** The address of a saved draft follows. */
  elsewhere: 'To continue on another computer, open:',
  /** About a file input of the page. */
  fileNotSent:
    'This page can’t send files from “{label}”. Remove the file, or contact the owner of the page.',
  /** A file that was chosen and not uploaded. Its name is above. */
  fileWaits:
    'Uploaded when you save or submit. This browser cannot keep the file until then, so leave this page open.',
  /** No confirmation arrived. */
  unknownSave: 'No confirmation arrived, so this may or may not be saved.',
  unknownSubmit: 'It is saved, but no confirmation arrived, so it may or may not be submitted.',
  checkAgain: 'Check again',
  /** Re-initiates a request that was withdrawn, if the service refuses to route it. */
  startAgain: 'Start again',
  startOver: 'Save as a new draft',
  startOverHint: 'If the first draft exists, it stays in the service, and nobody gets it.',
  /** In the summary of problems. */
  notUploaded: '“{file}” was not uploaded. Try again or remove it.',
  conflicts: 'Somebody else changed this too. Choose what to keep.',
  mine: 'What you entered',
  theirs: 'What is saved now',
  empty: 'Nothing',
  keepChosen: 'Save these values',
  cancel: 'Cancel',
} as const

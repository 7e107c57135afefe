import { type Fault, named, without } from './fault.ts'

const proxy = (test: string) => named('proxy/proxy.node', test)
const operations = (test: string) => named('proxy/operations.node', test)
const transfer = (test: string) => named('client/uploads/uploads', test)
const uploader = (test: string) => named('elements/fs-uploader', test)
const attachments = (test: string) => named('elements/wf-attachments', test)
const history = (test: string) => named('elements/wf-history', test)
const removed = (test: string) => named('elements/removed', test)
const actions = (test: string) => named('elements/wf-package-status/actions', test)
const dialogs = (test: string) => named('elements/wf-package-status/dialogs', test)

/** Responses of the services. */
export const responseFaults: readonly Fault[] = [
  {
    id: 'F15',
    fault: 'The session of the site ends',
    page: 'Signed out. Input and files stay, and it continues after a sign-in.',
    services: 'Nothing until the same person has signed in.',
    proofs: [
      uploader('pauses when the session ends, and continues when the same person signs in (F15)'),
      attachments('keeps the file through a sign-out, and continues after the next sign-in (F15)'),
      named('client/sharing', 'opens the live stream again after a sign-in (F15, F53)'),
      named('elements/wf-form/nothing-lost', 'keeps everything if the person is signed out'),
    ],
    control: without(
      'client/uploads/upload-state',
      "if (error instanceof SignedOutError) return held(item, 'signed-out')",
      '',
      transfer('pauses when the session ends, and sends again after start() (F15)'),
    ),
  },
  {
    id: 'F16',
    fault: 'A service refuses the credentials of the application',
    page: 'As if the service were down, without a password prompt.',
    services: 'With a new secret in the file, the call is repeated once.',
    proofs: [
      proxy('return 502 and log it if the service refuses the credentials (T24, F16)'),
      operations('uses a changed secret as soon as the service refuses the old one (F16)'),
      named('cli/command/proxy.node', 'uses a secret that changes in its file (F16)'),
    ],
    control: without(
      'proxy/upstream/service-error',
      "return status === 401 || (status === 403 && service === 'storage')",
      'return status === 0 && service.length === 0',
      proxy('return 502 and log it if the service refuses the credentials (T24, F16)'),
    ),
  },
  {
    id: 'F17',
    fault: 'A right is withdrawn between showing a button and pressing it',
    page: 'The reason, and the input; the button goes away.',
    services: 'Nothing changes.',
    proofs: [
      dialogs('keeps the dialog and the choice if the person lost the right meanwhile (F17)'),
      attachments('shows that the right to upload was withdrawn after the file was chosen (F17)'),
      named(
        'proxy/live/event-streams.node',
        'notifies people who may no longer view a package once more, and then never',
      ),
    ],
    control: without(
      'contract/routes/rights',
      'return actions.canVoid || (actions.canInitiatorVoid && isInitiator)',
      'return true',
      named('contract/routes/rights.node', 'allows no one without these flags, whatever else is allowed'),
    ),
  },
  {
    id: 'F18',
    fault: 'A package is removed while a page shows it',
    page: 'One neutral message, without names and buttons.',
    services: 'Nothing changes.',
    proofs: [
      removed(
        'is replaced by a neutral message, which gets the focus that the package had: <wf-package-status>',
      ),
      removed(
        'is replaced by a neutral message, which gets the focus that the package had: <wf-attachments>',
      ),
      removed('does not take the focus from the page'),
    ],
    control: without(
      'elements/element/focus-keeper',
      'this.#hasLost = !next',
      'this.#hasLost = false',
      removed(
        'is replaced by a neutral message, which gets the focus that the package had: <wf-package-status>',
      ),
    ),
  },
  {
    id: 'F19',
    fault: 'A service refuses fields of a form, with known or unknown codes',
    page: 'A sentence at each field, and a summary with links.',
    services: 'Nothing changes.',
    proofs: [
      operations('return the errors by field if they are not valid (F19)'),
      named('elements/wf-form/validation', 'at a field of each kind, and clears it when the field is edited'),
      named('elements/wf-form/problem-text.node', 'makes unknown codes readable'),
    ],
    control: without(
      'proxy/upstream/service-error',
      'refusals.invalidEntry(errors, ',
      'refusals.invalidEntry(errors && undefined, ',
      operations('return the errors by field if they are not valid (F19)'),
    ),
  },
  {
    id: 'F20',
    fault: 'A service is busy: 429 or 503 with any Retry-After',
    page: 'It tries again as the service asks, within a minute.',
    services: 'No request before that time.',
    proofs: [
      operations('forwards Retry-After, limited to a minute (F20)'),
      named('client/reads/poller.node', 'does not poll before the time that the proxy asks for (F20)'),
      named('client/sharing', 'reports the Retry-After of the proxy, up to a minute (F20)'),
    ],
    control: without(
      'proxy/upstream/service-error',
      'Math.min(60, ',
      'Math.min(1e9, ',
      operations('forwards Retry-After, limited to a minute (F20)'),
    ),
  },
  {
    id: 'F21',
    fault: 'An error with an HTML page',
    page: 'A sentence of ours, never the HTML.',
    services: 'Nothing changes.',
    proofs: [
      proxy('return 502 if the response of the service is not valid (F21, F22, F23)'),
      named('proxy/upstream/service-detail.node', 'returns nothing without a reason, or if it holds markup'),
    ],
    control: without(
      'proxy/validation/service-response',
      'if (!parsed.success) {',
      'if (!parsed) {',
      proxy('return 502 if the response of the service is not valid (F21, F22, F23)'),
    ),
  },
  {
    id: 'F22',
    fault: 'Status 200 with a login page, nothing, half a JSON text, or another encoding',
    page: 'The last content, marked as out of date.',
    services: 'Nothing changes.',
    proofs: [
      proxy('return 502 if the response of the service is not valid (F21, F22, F23)'),
      named('client/calls.node', 'rejects with UnavailableError if the response cannot be used (F22, F23)'),
      named('elements/no-proxy', 'shows what is missing, with nothing to try again'),
    ],
    control: without(
      'proxy/validation/service-response',
      '  } catch {\n    return undefined\n',
      '  } catch {\n    return { id: 42, state: "ROUTING" }\n',
      proxy('return 502 if the response of the service is not valid (F21, F22, F23)'),
    ),
  },
  {
    id: 'F23',
    fault: 'Valid JSON of another kind: null, a list, a text',
    page: 'The last content, marked as out of date.',
    services: 'Nothing changes.',
    proofs: [
      proxy('return 502 if the response of the service is not valid (F21, F22, F23)'),
      named('client/calls.node', 'rejects with UnavailableError if the response cannot be used (F22, F23)'),
    ],
    control: without(
      'proxy/validation/service-response',
      '      throw refusals.unexpectedResponse()\n    }\n    // A form',
      '    }\n    // A form',
      proxy('return 502 if the response of the service is not valid (F21, F22, F23)'),
    ),
  },
  {
    id: 'F24',
    fault: 'Values that the specification does not list',
    page: 'The value in readable form. An unknown state offers no actions.',
    services: 'Nothing changes.',
    proofs: [
      history('shows unknown classes, states and permissions in readable form'),
      named('elements/wf-history/event-text.node', 'reads the outcome of a signature'),
      named(
        'elements/wf-package-status/wf-package-status',
        'shows a state that the spec does not list, without actions',
      ),
    ],
    control: without(
      'contract/routes/rights',
      'void (known satisfies never)',
      'return actions.canVoid',
      named('contract/routes/rights.node', 'allows with canVoid alone exactly'),
    ),
  },
  {
    id: 'F25',
    fault: 'Fields are missing, null, of another type, or unknown',
    page: 'The readable rows, and the number of others.',
    services: 'Unknown fields stay in the proxy.',
    proofs: [
      history('counts invalid rows, and shows the others (F25)'),
      attachments('counts unreadable entries (F25)'),
      named('elements/wf-comments', 'counts invalid entries, and shows each comment once (F25, F27)'),
    ],
    control: without(
      'elements/wf-comments/wf-comments',
      'thread.length < value.length ?',
      'thread.length > value.length ?',
      named('elements/wf-comments', 'counts invalid entries, and shows each comment once (F25, F27)'),
    ),
  },
  {
    id: 'F26',
    fault: '10,000 events, 2,000 comments, a comment of a megabyte',
    page: 'The latest events and the first comments; long texts are folded.',
    services: 'One request.',
    proofs: [
      history('shows the latest 100 and who it waits for, and the earlier events by hundreds'),
      history('shows all events in their order, the first of them with the focus, and announces that once'),
      history('does not render unchanged chunks again'),
      named(
        'elements/wf-comments',
        'renders 2,000 comments and a very long one, the first of them at once (F26)',
      ),
    ],
    control: without(
      'elements/wf-comments/wf-comments',
      'const batchSize = 50',
      'const batchSize = 5000',
      named(
        'elements/wf-comments',
        'renders 2,000 comments and a very long one, the first of them at once (F26)',
      ),
    ),
  },
  {
    id: 'F27',
    fault: 'Rows are repeated or in another order',
    page: 'Each row once, in a stable order, with the focus kept.',
    services: 'Nothing changes.',
    proofs: [
      history('keeps the order of the service, and duplicate rows (F27)'),
      history('keeps unchanged events, open details and the focus on a refresh'),
      named('elements/wf-comments', 'counts invalid entries, and shows each comment once (F25, F27)'),
    ],
    control: without(
      'elements/wf-comments/wf-comments',
      '(!ids.has(row.id) && ids.add(row.id))',
      'ids.add(row.id)',
      named('elements/wf-comments', 'counts invalid entries, and shows each comment once (F25, F27)'),
    ),
  },
  {
    id: 'F28',
    fault: 'A list does not show yet what was just stored',
    page: 'The new row at once, and never twice.',
    services: 'The file once.',
    proofs: [
      attachments('shows a stored attachment that the list lacks, and only once when the list has it (F28)'),
      transfer('checks a second time, because lists lag behind (F28)'),
    ],
    control: without(
      'elements/wf-attachments/wf-attachments',
      '...stored.filter(({ id }) => !ids.has(id))',
      '...stored',
      attachments('shows a stored attachment that the list lacks, and only once when the list has it (F28)'),
    ),
  },
  {
    id: 'F29',
    fault: 'A change is accepted without effect, or another person was faster',
    page: 'The state that was read afterwards.',
    services: 'Nothing is sent a second time.',
    proofs: [
      actions('treats a rejected request as a failure, even if the package is void (F29)'),
      actions('does not accept the state as proof that routing was restarted'),
      dialogs('shows in the dialog that someone else changed the package, and sends nothing'),
    ],
    control: without(
      'elements/wf-package-status/actions/package-actions',
      "this.dialog.warn('overtaken')",
      'void this.dialog',
      dialogs('shows in the dialog that someone else changed the package, and sends nothing'),
    ),
  },
  {
    id: 'F31',
    fault: 'A stored file has expired or was deleted',
    page: 'The row says that the file is not available.',
    services: 'No repeated requests for it.',
    proofs: [
      uploader('marks a stored file that is gone (F31)'),
      named('elements/fs-files/fs-files', 'keeps files that are not available in the list, and says why'),
    ],
    control: without(
      'elements/fs-uploader/file-list',
      'const isGone = status.isGone(asset.uuid)',
      'const isGone = !status',
      uploader('marks a stored file that is gone (F31)'),
    ),
  },
  {
    id: 'F32',
    fault: 'A file is larger than the limit',
    page: 'Both sizes, before anything is sent.',
    services: 'Nothing.',
    proofs: [
      uploader('rejects a file over the limit before sending it, with both sizes (F32)'),
      attachments('rejects files before sending them, and shows why (F32, F48)'),
      named('proxy/node/node.node', 'stop at the size limit, and the service stores nothing'),
    ],
    control: without(
      'proxy/node/upload',
      'if (size > maxFileSize) throw fileRefusals.fileTooLarge(maxFileSize)',
      'void size',
      named('proxy/node/upload.node', 'may have exactly the maximum size'),
    ),
  },
  {
    id: 'F33',
    fault: 'Everything has been sent, and no response comes',
    page: 'Waiting for confirmation, then stalled.',
    services: 'The page looks for the file before it sends it again.',
    proofs: [
      transfer('stalls while it waits for the response, and checks first if it is started again (F33)'),
      uploader('shows the progress of the upload, and then that it waits for confirmation'),
      named('elements/slow', 'leave a file unconfirmed until they respond'),
    ],
    control: without(
      'client/uploads/upload-state',
      "return item.state.kind === 'sending' ? { ...item, mayBeStored: true } : item",
      'return item',
      transfer('stalls while it waits for the response, and checks first if it is started again (F33)'),
    ),
  },
  {
    id: 'F34',
    fault: 'One person uses up a limit',
    page: 'That person has to wait. Others notice nothing.',
    services: 'Others have their share of all places.',
    proofs: [
      operations('limits concurrent requests per person without affecting others (F34)'),
      named('proxy/fairness.node', 'limit the calls of one person, so that another person is served at once'),
    ],
    control: without(
      'proxy/mount/steps',
      'if (!release) throw refusals.tooManyRequests()',
      'void refusals.tooManyRequests',
      operations('limits concurrent requests per person without affecting others (F34)'),
    ),
  },
  {
    id: 'F36',
    fault: 'The breaker probes a service that has failed',
    page: 'Out of date until the probe succeeds.',
    services: 'Exactly one call.',
    proofs: [
      named('proxy/node/send.node', 'gets exactly one probe after the reset timeout'),
      named('proxy/node/send.node', 'gets no requests if the probe fails (F36)'),
      named('proxy/node/breaker.node', 'lets one call probe after the reset timeout'),
    ],
    control: without(
      'proxy/node/breaker',
      'if (wait > 0 || isProbing || !mayProbe) {',
      'if (wait > 0 || !mayProbe) {',
      named('proxy/node/send.node', 'gets exactly one probe after the reset timeout'),
    ),
  },
]

import { type Fault, named, without } from './fault.ts'

const pages = (test: string) => named('e2e/pages.node', test)
const dropIn = (test: string) => named('e2e/drop-in.node', test)
const resource = (test: string) => named('elements/loading/resource', test)
const uploader = (test: string) => named('elements/fs-uploader', test)
const unusual = (test: string) => named('e2e/unusual-browsers.node', test)
const enlarged = (test: string) => named('elements/enlarged', test)

/** The browser, and the page that an element is in. */
export const pageFaults: readonly Fault[] = [
  {
    id: 'F37',
    fault: 'Ten clicks in a moment, or a click and Enter',
    page: 'A busy button.',
    services: 'The change once.',
    proofs: [
      named(
        'elements/wf-package-status/dialogs',
        'sends one request, even if the dialog is submitted repeatedly (F37)',
      ),
      named('elements/wf-attachments', 'sends one file once, however often its button is clicked (F37)'),
      named('elements/wf-form/wf-form', 'creates one package however often the buttons are pressed'),
      named('client/uploads/uploads', 'sends nothing twice if it is started repeatedly (F37)'),
    ],
    control: without(
      'elements/wf-package-status/actions/action-dialog',
      'if (this.#isBusy || this.#recipient.isSearching || !request || !handlers) return',
      'if (!request || !handlers) return',
      named(
        'elements/wf-package-status/dialogs',
        'sends one request, even if the dialog is submitted repeatedly (F37)',
      ),
    ),
  },
  {
    id: 'F38',
    fault: 'An element is moved or removed while it loads or uploads',
    page: 'It continues after a move, and stops after a removal.',
    services: 'No request after that.',
    proofs: [
      resource(
        'aborts the load and stops watching when it is removed, and starts again when it returns (F38)',
      ),
      named(
        'elements/wf-package-status/live',
        'keeps its content when it moves, and sends no request after it is removed (F38)',
      ),
      uploader('keeps uploading when it is moved, and stops when it is removed (F38)'),
      named('elements/wf-attachments', 'cancels uploads when it is removed, not when it is moved (F38)'),
    ],
    control: without(
      'elements/loading/resource',
      '      this.#abort()\n',
      '',
      resource(
        'aborts the load and stops watching when it is removed, and starts again when it returns (F38)',
      ),
    ),
  },
  {
    id: 'F39',
    fault: 'The page changes the package while the last one loads',
    page: 'Only the last one.',
    services: 'Requests for the others are aborted.',
    proofs: [
      resource('never shows the content of one key under another (F39)'),
      named('elements/wf-package-status/live', 'shows only the last package when ids change quickly (F39)'),
      named('elements/wf-comments', 'shows no comment of one package under another (F39)'),
      named('elements/wf-history', 'never shows the events of one package under another (F39)'),
    ],
    control: without(
      'elements/loading/resource',
      '    this.#error = undefined\n    this.forget(isOtherPerson)\n',
      '    this.#error = undefined\n',
      resource('never shows the content of one key under another (F39)'),
    ),
  },
  {
    id: 'F40',
    fault: 'A tab is in the background, frozen, or in the back/forward cache',
    page: 'Up to date when it is shown again.',
    services: 'No requests from hidden pages.',
    proofs: [
      named(
        'client/reads/poller.node',
        'does not poll while the page is hidden, and polls once when it is shown again',
      ),
      named(
        'client/live/live-stream',
        'closes its stream when it enters the back/forward cache, and opens it when it comes back (F40)',
      ),
      named(
        'e2e/live.node',
        'request nothing while they are hidden, and show at once what has changed when they are shown (F40)',
      ),
    ],
    control: without(
      'client/reads/poller',
      'stopObserving && isPageVisible(window) ? setTimeout(poll, delay)',
      'stopObserving ? setTimeout(poll, delay)',
      named('client/reads/poller.node', 'does not start to poll in a hidden page'),
    ),
  },
  {
    id: 'F41',
    fault: 'The clock of the browser is wrong by a day or a year, or in another time zone',
    page: 'The times of the institution, no age in the future.',
    services: 'The same changes.',
    proofs: [
      unusual('a page shows the times of the institution, offers the same, and changes the same'),
      named('elements/text/format', 'is empty in the future, because then the clock of the device is wrong'),
      named(
        'elements/text/format',
        'counts correctly within hours of a change to and from daylight saving time',
      ),
    ],
    control: without(
      'elements/text/format',
      'if (instant === undefined || instant > now) return undefined',
      'if (instant === undefined) return undefined',
      named('elements/text/format', 'is empty in the future, because then the clock of the device is wrong'),
    ),
  },
  {
    id: 'F42',
    fault: 'A strict content security policy, with Trusted Types',
    page: 'It works, or the content of the tag stays.',
    services: 'Nothing unusual.',
    proofs: [
      pages('work under the strictest policy, with Trusted Types (F42)'),
      pages('keep the first copy if the policy blocks a second one (F42)'),
    ],
    control: without(
      'elements/text/rich-text',
      '  let open: HTMLElement[] = [root]\n',
      '  let open: HTMLElement[] = [root]\n  root.innerHTML = html\n  if (root.textContent) return root\n',
      pages('work under the strictest policy, with Trusted Types (F42)'),
    ),
  },
  {
    id: 'F43',
    fault: 'Two versions or copies on one page, or a tag that the page has taken',
    page: 'The first one, with a warning.',
    services: 'Nothing unusual.',
    proofs: [
      pages('may load the script twice, and a second copy of it (F43)'),
      dropIn('keeps the first of two versions, with one warning'),
      dropIn('does not redefine tags that the page has defined'),
    ],
    control: without(
      'define/define',
      'if (!customElements.get(tag)) customElements.define(tag, element)\n  else if (customElements.get(tag) !== element) skip(tag)',
      'customElements.define(tag, element)\n  void skip',
      named('define/define', 'keeps the first definition of a tag and logs one warning (F43)'),
    ),
  },
  {
    id: 'F44',
    fault: 'The page resets all styles, changes its base size or its direction',
    page: 'The layout holds.',
    services: 'Nothing unusual.',
    proofs: [
      pages('may reset all styles (F44)'),
      named('elements/geometry', 'has no overlap, no overflow and no small target: a package in routing'),
    ],
    control: without(
      'elements/element/controls.styles',
      'grid-template-columns: minmax(0, 1fr);',
      'grid-template-columns: max-content;',
      named('elements/geometry', 'has no overlap, no overflow and no small target: a package in routing'),
    ),
  },
  {
    id: 'F45',
    fault: 'The page has patched prototypes and clobbered names',
    page: 'It works.',
    services: 'Nothing unusual.',
    proofs: [
      pages('may patch prototypes and clobber names (F45)'),
      named(
        'elements/wf-attachments/attachment-rules.node',
        'counts no right that the page has added to all objects (F45)',
      ),
    ],
    control: without(
      'elements/wf-attachments/attachment-rules',
      "Object.entries(actions).some(([name, flag]) => flag === true && name !== 'canView')",
      "(() => { for (const name in actions) if (actions[name as 'canEdit'] === true && name !== 'canView') return true; return false })()",
      named(
        'elements/wf-attachments/attachment-rules.node',
        'counts no right that the page has added to all objects (F45)',
      ),
    ),
  },
  {
    id: 'F46',
    fault: 'Storage, locks and channels of the browser are blocked',
    page: 'It works, and states that it cannot keep what is typed.',
    services: 'The same changes.',
    proofs: [
      unusual('a page works, keeps drafts only while it is open, and says so'),
      named('elements/wf-form/local-copy', 'works without its copies if storage is disabled'),
      named('client/live/live-stream', 'have their streams if'),
    ],
    control: without(
      'elements/wf-form/kept/local-copy',
      '      return use(this.#storage())\n    } catch {\n      return undefined\n',
      '      return use(this.#storage())\n    } catch (error) {\n      throw error\n',
      named('elements/wf-form/local-copy', 'works without its copies if storage is disabled'),
    ),
  },
  {
    id: 'F47',
    fault: 'Scripts are off, or the script does not load',
    page: 'The content of the tag, such as a link.',
    services: 'Nothing.',
    proofs: [
      pages('show the content of the tag if the script never loads (F47)'),
      dropIn('shows the content of the tag if scripts do not run'),
      named(
        'e2e/new-request.node',
        'is not sent by a browser without the scripts, and the site says what to do',
      ),
    ],
    control: without(
      'cli/demo-page',
      "if (request.method === 'POST' && pathname === '/new')",
      'if (false)',
      named(
        'e2e/new-request.node',
        'is not sent by a browser without the scripts, and the site says what to do',
      ),
    ),
  },
  {
    id: 'F48',
    fault: 'A chosen file is changed, deleted, empty or a folder',
    page: 'A message for that file. The others are uploaded.',
    services: 'Nothing of that file.',
    proofs: [
      uploader('sends neither empty nor unreadable files (F48)'),
      uploader('shows that a file changed on disk during the upload (F48)'),
      named(
        'elements/upload/upload-parts.node',
        'names what holds no file or could not be read, and goes on',
      ),
      uploader('stays usable with 200 files'),
    ],
    control: without(
      'elements/upload/send-file',
      'if (error instanceof UnavailableError && !isSent) await checkFile(file, rules)',
      '',
      uploader('shows that a file changed on disk during the upload (F48)'),
    ),
  },
  {
    id: 'F49',
    fault: 'A file is added with mouse, keyboard or screen reader, dropped or pasted',
    page: 'The same row and announcement.',
    services: 'The same file.',
    proofs: [
      unusual('the same file is stored, shown and announced'),
      unusual('the same document becomes an attachment of the package'),
      named('elements/upload/file-intake', 'delivers chosen, dropped and pasted files to their target'),
    ],
    control: without(
      'elements/upload/file-intake',
      '    event.preventDefault()\n    this.#deliver(target, withPaths(files))\n',
      '    event.preventDefault()\n',
      named('elements/upload/file-intake', 'delivers chosen, dropped and pasted files to their target'),
    ),
  },
  {
    id: 'F50',
    fault: 'A zoom of 400 %, larger or wider text, forced colors, no motion, right to left, dark',
    page: 'All content. A request can be voided by keyboard.',
    services: 'The package is void.',
    proofs: [
      enlarged('loses no content and no function: zoomed to 400 %'),
      enlarged('loses no content and no function: with text of 200 %'),
      enlarged('loses no content and no function: with more space in texts, zoomed to 400 %'),
      enlarged('loses no content and no function: without motion'),
      enlarged('loses no content and no function: in forced colors'),
      enlarged('loses no content and no function: from right to left, zoomed to 400 %'),
    ],
    control: without(
      'elements/element/controls.styles',
      'grid-template-columns: minmax(0, 1fr);',
      'grid-template-columns: max-content;',
      enlarged('loses no content and no function: zoomed to 400 %'),
    ),
  },
  {
    id: 'F51',
    fault: 'The page is in a language that is missing, or whose words are long',
    page: 'English, marked as such; nothing is cut off.',
    services: 'Nothing unusual.',
    proofs: [
      named(
        'elements/configuration/configuration',
        'are English if the language has no table, and are marked as English',
      ),
      named(
        'elements/text/languages',
        'fits into 320 pixels in nine elements, and leaves nothing in English',
      ),
    ],
    control: without(
      'elements/text/messages',
      "const language = messages ? tag : 'en'",
      'const language = tag || page',
      named(
        'elements/configuration/configuration',
        'are English if the language has no table, and are marked as English',
      ),
    ),
  },
  {
    id: 'F52',
    fault: 'Many elements on one page',
    page: 'All of them.',
    services: 'One request per kind of data, one stream.',
    proofs: [
      named('e2e/requests.node', 'send two requests'),
      named('e2e/live.node', 'cost three requests for five elements'),
      named('client/sharing', 'sends one request for equal reads at the same time or within a second'),
    ],
    control: without(
      'client/reads/query-cache',
      '(entry.flight ??= start(entry, key, load))',
      'start(entry, key, load)',
      named('client/sharing', 'sends one request for equal reads at the same time or within a second'),
    ),
  },
]

// An application that Vite builds: two elements, configured once for the page.
import { configure } from 'routeslip/configure'
import 'routeslip/define/wf-comments'
import 'routeslip/define/wf-package-status'

configure({ endpoint: '/api/wf', formId: 6025, packageId: 42 })

import { configure } from 'routeslip/configure'
import 'routeslip/define/wf-comments'
import 'routeslip/define/wf-package-status'

configure({ endpoint: '/api/wf', formId: 6025, packageId: 42 })

const status = document.querySelector('wf-package-status')
const output = document.querySelector('output')
status?.addEventListener('wf-load', () => {
  if (output) output.value = status.value?.found.state ?? ''
})

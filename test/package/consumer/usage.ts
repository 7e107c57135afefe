// A strict application in TypeScript. If the types allowed one of the wrong lines, `@ts-expect-error` would be an error.
import {
  addLanguage,
  configure,
  type Messages,
  type PackageHistory,
  type PageConfiguration,
  WfHistory,
  type WfLoadEvent,
  WfPackageStatus,
} from 'routeslip'
import { createClient, ForbiddenError } from 'routeslip/client'
import { type Package, packageStates, routes } from 'routeslip/contract'
import 'routeslip/define'
import 'routeslip/define/wf-history'
import { WfHistory as SameHistory } from 'routeslip/elements/wf-history'
import * as spanish from 'routeslip/locales/es'

const page: PageConfiguration = { endpoint: '/api/wf', formId: 6025, timeZone: 'America/Chicago' }
configure(page)
// @ts-expect-error an id is a number
configure({ formId: '6025' })
// @ts-expect-error a language has all messages
addLanguage('de', { language: 'de' })
const messages: Messages = { ...spanish, language: 'es-MX' }
addLanguage('es-MX', messages)
const { uploader, history } = spanish
console.log(uploader, history)

const element = document.createElement('wf-history')
element.packageId = 42
// @ts-expect-error an id is a number here too
element.packageId = '42'
element.addEventListener('wf-load', (event: WfLoadEvent<unknown>) => console.log(event.value))
// @ts-expect-error the value belongs to another element
element.addEventListener('wf-load', (event: WfLoadEvent<PackageHistory>) => event.value.comments)
const same: typeof WfHistory = SameHistory
customElements.define('travel-history', class extends same {})
console.log(new WfPackageStatus().signUrl)

const client = createClient({ endpoint: '/api/wf' })
const found: Package = await client.getPackage({ params: { formId: 6025, packageId: 42 } })
console.log(found.state, packageStates, routes.getPackage.method, ForbiddenError)
// @ts-expect-error unknown operation
await client.signPackage({ params: { formId: 6025, packageId: 42 } })

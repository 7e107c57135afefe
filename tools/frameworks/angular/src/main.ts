import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { configure, type WfPackageStatus } from 'routeslip'
import 'routeslip/define/wf-comments'
import 'routeslip/define/wf-package-status'

configure({ endpoint: '/api/wf', formId: 6025 })

@Component({
  selector: 'travel-request',
  // Without it, Angular rejects tags that are not components of its own.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <h1>Travel request</h1>
    <wf-package-status #status [packageId]="packageId" (wf-load)="onLoad(status)" />
    <p>
      State: <output>{{ state() }}</output>.
    </p>
    <wf-comments [packageId]="packageId" />
  `,
})
class TravelRequest {
  readonly packageId = 42
  readonly state = signal('')

  onLoad(status: WfPackageStatus): void {
    this.state.set(status.value?.found.state ?? '')
  }
}

bootstrapApplication(TravelRequest).catch((error: unknown) => console.error(error))

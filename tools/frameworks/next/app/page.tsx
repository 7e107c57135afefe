import { WfComments } from 'routeslip/react'
import { Status } from './status'

/** Rendered on the server. Components of `routeslip/react` are client components, so a server component can use them. */
export default function Page() {
  return (
    <>
      <h1>Travel request</h1>
      <Status packageId={42} />
      <WfComments endpoint="/api/wf" formId={6025} packageId={42} />
    </>
  )
}

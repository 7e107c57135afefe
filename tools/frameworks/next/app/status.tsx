'use client'

import { useState } from 'react'
import { WfPackageStatus } from 'routeslip/react'

export function Status({ packageId }: { readonly packageId: number }) {
  const [state, setState] = useState('')
  return (
    <>
      <WfPackageStatus
        endpoint="/api/wf"
        formId={6025}
        packageId={packageId}
        onWfLoad={(event) => setState(event.value.found.state)}
      />
      <p>
        State: <output>{state}</output>.
      </p>
    </>
  )
}

// An application in React 19: the tags are typed, take properties, and fire events.
import { type JSX, useState } from 'react'
import { createRoot } from 'react-dom/client'
import 'routeslip/define/wf-badge'
import 'routeslip/define/wf-package-status'
import type {} from 'routeslip/types/react'

function TravelRequest(): JSX.Element {
  const [state, setState] = useState('')
  const [refused, setRefused] = useState('')
  const [badgeId, setBadgeId] = useState<number>()
  return (
    <>
      <wf-package-status
        endpoint="/api/wf"
        form-id={6025}
        package-id={42}
        onwf-load={(event) => setState(event.value.found.state)}
        onwf-before-change={(event) => {
          event.preventDefault()
          setRefused(event.operation)
        }}
      />
      <p>
        State: {state}. Refused: {refused}.
      </p>
      <button onClick={() => setBadgeId(42)}>Show as a badge</button>
      {badgeId && <wf-badge endpoint="/api/wf" form-id={6025} package-id={badgeId} />}
    </>
  )
}

/** What may not be written. */
export const wrong = [
  // @ts-expect-error there is no such attribute
  <wf-package-status key="1" formid="6025" />,
  // @ts-expect-error an id is not an object
  <wf-badge key="2" package-id={{}} />,
  // @ts-expect-error this event has no such property
  <wf-package-status key="3" onwf-load={(event) => event.operation} />,
]

const main = document.querySelector('main')
if (main) createRoot(main).render(<TravelRequest />)

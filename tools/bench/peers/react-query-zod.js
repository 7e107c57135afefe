// Loads, validates and shows the state of a package, without any component library.
// A service that stores nothing: reads a request to its end, however long, and sends a prepared response. Over raw
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { read } from './schema-zod.js'

function Status() {
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: async () => read(await (await fetch('/api/wf')).json()),
  })
  return createElement('p', null, data?.state)
}

export function show(place) {
  const client = new QueryClient()
  createRoot(place).render(createElement(QueryClientProvider, { client }, createElement(Status)))
}

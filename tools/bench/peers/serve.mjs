// Shared by all peers: they add the credentials of the service, and print their address.

export const credentials = {
  authorization: `Basic ${btoa('demo-app:demo-secret')}`,
  'x-workflow-request-user': '10000001',
}

export function listen(server) {
  server.listen(0, '127.0.0.1', () => printAddress(server))
}

export function printAddress(server) {
  console.log(`listening on http://127.0.0.1:${server.address().port}/`)
}

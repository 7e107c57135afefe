// http-proxy-3 as in its documentation, with persistent connections. `node http-proxy-3.mjs TARGET`
import { Agent, createServer } from 'node:http'
import httpProxy from 'http-proxy-3'
import { credentials, listen } from './serve.mjs'

const proxy = httpProxy.createProxyServer({
  target: process.argv[2],
  agent: new Agent({ keepAlive: true, maxSockets: 100 }),
  headers: credentials,
})
proxy.on('error', (_error, _request, response) => response.destroy())
listen(createServer((request, response) => proxy.web(request, response)))

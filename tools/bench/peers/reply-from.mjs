// fastify with @fastify/reply-from as in its documentation. `node reply-from.mjs TARGET`
import replyFrom from '@fastify/reply-from'
import Fastify from 'fastify'
import { credentials, printAddress } from './serve.mjs'

const app = Fastify({ bodyLimit: 4 * 1024 ** 3 })
app.register(replyFrom, {
  base: process.argv[2],
  undici: { connections: 100, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
})
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
app.removeContentTypeParser(['application/json', 'text/plain'])
app.all('/*', (request, reply) =>
  reply.from(request.raw.url, {
    rewriteRequestHeaders: (_request, headers) => ({ ...headers, ...credentials }),
  }),
)
await app.listen({ port: 0, host: '127.0.0.1' })
printAddress(app.server)

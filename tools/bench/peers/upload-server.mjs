// A site that accepts uploads and discards them: a page, the scripts of a folder, and the part of the proxy's API that an
// uploader uses. `node upload-server.mjs FOLDER`
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { printAddress } from './serve.mjs'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
<body><input id="files" type="file" multiple><div id="place"></div>
<script type="module" src="/fs-uploader.js"></script><script type="module" src="/uppy.js"></script></body></html>`
const session = {
  univid: '10000001',
  env: 'test',
  forms: [6025],
  allows: { operations: ['uploadFile'], maxFileSize: 4 * 1024 ** 3, extensions: null },
}
let received = 0
let count = 0

const server = createServer((request, response) => {
  const respond = (type, text) => response.writeHead(200, { 'Content-Type': type }).end(text)
  const json = (value) => respond('application/json', JSON.stringify(value))
  const { method, url = '' } = request
  if (method === 'POST') {
    request.on('data', (chunk) => (received += chunk.length))
    request.on('end', () => json(assetOf(++count)))
  } else if (url === '/') respond('text/html', page)
  else if (url.endsWith('/session')) json(session)
  // An uploader that takes long verifies the files that it has stored.
  else if (url.endsWith('/meta')) json(assetOf(Number(url.split('/').at(-2).slice(-12))))
  else if (url === '/received') json(received)
  else if (/^\/[\w-]+\.js$/.test(url)) {
    response.writeHead(200, { 'Content-Type': 'text/javascript' })
    createReadStream(join(process.argv[2], url)).pipe(response)
  } else response.writeHead(404).end()
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => printAddress(server))

function assetOf(number) {
  return {
    uuid: `0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`,
    filename: `file-${number}.bin`,
    fileSize: 1,
    contentType: 'application/octet-stream',
    uploadDate: '2026-01-14T16:05:00.000',
    expirationDate: null,
    metadata: null,
  }
}

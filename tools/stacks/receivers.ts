// The receiver of docs/stacks/java in Java. `npm run test:stacks` sets the path of the compiler.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createReceiverServers, mistakesOf } from '../../test/docs/receiver-table.ts'

const java = `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

class ReceiverServer {
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
        server.createContext("/", exchange -> {
            int status = 500;
            try {
                RouteslipCallbacks receiver = new RouteslipCallbacks();
                var field = RouteslipCallbacks.class.getDeclaredField("secrets");
                field.setAccessible(true);
                var headers = exchange.getRequestHeaders();
                String secrets = headers.getFirst("x-test-secrets");
                field.set(receiver, secrets == null ? "" : secrets);
                String id = headers.getFirst("webhook-id");
                // Spring refuses a request that lacks one of them.
                status = id == null ? 400 : receiver.receive(
                    id,
                    Long.parseLong(headers.getFirst("webhook-timestamp")),
                    headers.getFirst("webhook-signature"),
                    exchange.getRequestBody().readAllBytes()).status();
            } catch (Exception | Error failed) {
                failed.printStackTrace();
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }
}
`

/** What the receiver needs of Spring, which is not installed. */
const spring: Readonly<Record<string, string>> = {
  'beans/factory/annotation/Value': '@interface Value { String value(); }',
  'web/bind/annotation/PostMapping': '@interface PostMapping { String value(); }',
  'web/bind/annotation/RequestBody': '@interface RequestBody {}',
  'web/bind/annotation/RequestHeader': '@interface RequestHeader { String value(); }',
  'web/bind/annotation/RestController': '@interface RestController {}',
  'http/HttpStatus': 'enum HttpStatus { UNAUTHORIZED }',
  'http/ResponseEntity': `record ResponseEntity<T>(int status) {
    public record Builder(int status) { public <T> ResponseEntity<T> build() { return new ResponseEntity<>(status); } }
    public static Builder status(HttpStatus status) { return new Builder(401); }
    public static Builder noContent() { return new Builder(204); }
}`,
}

describe('docs/stacks/java/RouteslipCallbacks.java', () => {
  const { folder, serve, end } = createReceiverServers()
  after(end)

  it('accepts only what one of its secrets signed', async () => {
    for (const [path, source] of Object.entries(spring)) {
      const parts = `org/springframework/${path}`.split('/')
      const name = parts.pop()
      mkdirSync(join(folder, ...parts), { recursive: true })
      const text = `package ${parts.join('.')};\npublic ${source}\n`
      writeFileSync(join(folder, ...parts, `${name}.java`), text)
    }
    const server = join(folder, 'ReceiverServer.java')
    writeFileSync(server, java)
    const javac = process.env['JAVAC'] ?? ''
    const receiver = 'docs/stacks/java/RouteslipCallbacks.java'
    execFileSync(javac, ['-d', folder, '-sourcepath', folder, server, receiver], { stdio: 'inherit' })
    const url = await serve(join(dirname(javac), 'java'), (port) => [
      '-cp',
      folder,
      'ReceiverServer',
      String(port),
    ])
    assert.deepEqual(await mistakesOf(url), [])
  })
})

// Writes llms.txt in the format of llmstxt.org: a short text from which a language model can use the elements in a page.

/** Returns its content. `elements` come from the manifest. */
export function llmsText(elements) {
  return `# Routeslip

> Web components that show and drive approval routing and file storage inside any university page; a backend proxy that holds the credentials and decides rights; and an emulator of both services. npm packages \`routeslip\` (pages) and \`routeslip-server\` (proxy, emulator, command \`routeslip\`), MIT.

- Without a build: \`<script type="module" src="/routeslip.js"></script>\` (\`dist/routeslip.js\`) defines every element. With one: \`import 'routeslip/define/wf-history'\` defines one, \`import 'routeslip/define'\` all.
- Elements talk to the proxy alone (\`endpoint\`), never to the services. Every page needs one: \`createProxy()\` from \`routeslip-server/proxy\`, or the command \`npx routeslip proxy\`.
- Each setting comes from the element's own attribute, else from the nearest \`<wf-context>\`, else from \`configure({...})\` of \`routeslip\` or \`<script type="application/json" data-wf-config>\`.
- All events bubble and are composed. Those named \`…-before-change\` and \`wf-sign\` can be cancelled: then nothing is sent.
- Types for templates: \`import type {} from 'routeslip/types/react'\`, also \`preact\`, \`solid\`, \`svelte\`, \`vue\`. For React 18, and for React on a server, there are components in \`routeslip/react\`.
- The elements do not sign, write comments, or delete attachments: the services have no calls for that.

## Docs

- [Elements](docs/elements.md): configuration, states, events, forms and uploads
- [Languages](docs/languages.md): how the elements choose one, and how to add one
- [Proxy](docs/proxy.md): every variable, identity, callbacks, several processes
- [Emulator](docs/emulator.md): both services without credentials, with a control API
- [Manifest](custom-elements.json): every attribute, property, event, slot, part and custom property, for tools

## Elements
${elements.map(section).join('')}`
}

function section({ tagName, description, attributes = [], members, events = [], slots = [] }) {
  const [, example] = /```html\n([^]*?)\n```/.exec(description)
  const methods = members.filter(({ kind }) => kind === 'method')
  const properties = members.filter(({ kind, attribute }) => kind === 'field' && !attribute)
  return `
### \`<${tagName}>\`

${description.split('\n\n')[0]}

\`\`\`html
${example}
\`\`\`
${list('Attributes', attributes, ({ name, type }) => `\`${name}\` (${type.text})`)}${list(
    'Properties without an attribute',
    properties,
    ({ name, readonly }) => `\`${name}\`${readonly ? ' (read only)' : ''}`,
  )}${list('Methods', methods, ({ name, parameters = [] }) => `\`${name}(${parameters.map((one) => one.name).join(', ')})\``)}${list(
    'Events',
    events,
    ({ name, type }) => `\`${name}\` (\`${type.text}\`)`,
  )}${slots.length > 0 ? list('Slots', slots, ({ name }) => (name ? `\`${name}\`` : 'default')) : ''}`
}

function list(title, items, name) {
  if (items.length === 0) return ''
  return `\n${title}:\n\n${items.map((item) => `- ${name(item)}: ${item.description.split('\n')[0]}`).join('\n')}\n`
}

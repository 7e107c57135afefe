export { createContext, ContextConsumer, ContextProvider } from '@lit/context'
export { Task } from '@lit/task'
export { css, html, LitElement } from 'lit'
export { repeat } from 'lit/directives/repeat.js'

export { css, html, LitElement } from 'lit'

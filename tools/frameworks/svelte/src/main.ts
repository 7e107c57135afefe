import { configure } from 'routeslip/configure'
import { mount } from 'svelte'
import App from './App.svelte'

configure({ endpoint: '/api/wf', formId: 6025 })
const target = document.querySelector('main')
if (target) mount(App, { target })

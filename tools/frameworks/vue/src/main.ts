import { configure } from 'routeslip/configure'
import { createApp } from 'vue'
import App from './App.vue'

configure({ endpoint: '/api/wf', formId: 6025 })
createApp(App).mount('main')

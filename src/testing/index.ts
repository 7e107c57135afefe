export { type Backend, type BackendOptions, createBackend, type RoutedRequest } from './backend.ts'
export { scenarios } from '../emulator/scenarios/index.ts'

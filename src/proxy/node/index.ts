export { createPooledFetch, type PooledFetch } from './fetch.ts'
export { createListener } from './listener.ts'
export { readUpload } from './upload.ts'

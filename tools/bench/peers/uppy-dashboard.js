import Uppy from '@uppy/core'
import Dashboard from '@uppy/dashboard'
import XHRUpload from '@uppy/xhr-upload'

export function show(target) {
  return new Uppy().use(Dashboard, { target, inline: true }).use(XHRUpload, { endpoint: '/upload' })
}

import Uppy from '@uppy/core'
import DragDrop from '@uppy/drag-drop'
import XHRUpload from '@uppy/xhr-upload'

export function show(target) {
  return new Uppy().use(DragDrop, { target }).use(XHRUpload, { endpoint: '/upload' })
}

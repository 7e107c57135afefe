// Uppy with its plugin for XMLHttpRequest, and with the smaller of its interfaces.
import Uppy from '@uppy/core'
import DragDrop from '@uppy/drag-drop'
import XHRUpload from '@uppy/xhr-upload'

globalThis.uploadWithUppy = async (files) => {
  const uppy = new Uppy()
    .use(DragDrop, { target: '#place' })
    .use(XHRUpload, { endpoint: '/uppy', fieldName: 'file' })
  uppy.addFiles(files.map((file) => ({ name: file.name, type: file.type, data: file })))
  const { successful } = await uppy.upload()
  return successful.length
}

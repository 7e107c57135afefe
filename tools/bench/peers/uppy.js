// Uppy with its plugin for XMLHttpRequest and the smaller of its interfaces.
import Uppy from '@uppy/core'
import DragDrop from '@uppy/drag-drop'
import XHRUpload from '@uppy/xhr-upload'

let uppy

globalThis.showUppy = () => {
  uppy = new Uppy()
    .use(DragDrop, { target: '#place' })
    .use(XHRUpload, { endpoint: '/uppy', fieldName: 'file' })
}

globalThis.uploadWithUppy = async (files) => {
  uppy.addFiles(files.map((file) => ({ name: file.name, type: file.type, data: file })))
  const { successful } = await uppy.upload()
  return successful.length
}

import { create, registerPlugin } from 'filepond'
import validateSize from 'filepond-plugin-file-validate-size'
import validateType from 'filepond-plugin-file-validate-type'

registerPlugin(validateSize, validateType)

export function show(place) {
  return create(place, { server: '/upload' })
}

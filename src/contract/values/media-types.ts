/**
 * Media types and the file name extensions that they have, in the table of the `mime` package. A test compares the two, so that
 * pages need not download the package.
 */
export const mediaTypes = `
application/json json
application/msword doc
application/pdf pdf
application/vnd.ms-excel xls
application/vnd.ms-powerpoint ppt
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.text odt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/x-zip-compressed zip
application/xml xml
application/zip zip
image/avif avif
image/bmp bmp
image/gif gif
image/heic heic
image/heif heif
image/jpeg jpg jpeg
image/png png
image/svg+xml svg
image/tiff tif tiff
image/webp webp
image/x-ms-bmp bmp
text/csv csv
text/plain txt
text/xml xml
`

/** Returns the extensions of a media type, or of a group such as `image/*`; none if the table does not contain it. */
export function extensionsOf(type: string): readonly string[] {
  const group = type.endsWith('/*') ? type.slice(0, -1) : undefined
  return mediaTypes
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([each = '', ...extensions]) =>
      each === type || (group && each.startsWith(group)) ? extensions : [],
    )
}

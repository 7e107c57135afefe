import type { Route } from './route.ts'

/** The operations that send files. */
export const uploadRoutes = {
  uploadAttachment: {
    method: 'POST',
    path: '/forms/:formId/packages/:packageId/attachments/types/:attachmentTypeId',
    requestBody: 'multipart',
    part: 'description',
    response: 'json',
  },
  uploadFile: { method: 'POST', path: '/files', requestBody: 'multipart', part: 'meta', response: 'json' },
} as const satisfies Readonly<Record<string, Route>>

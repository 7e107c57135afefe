// The elements that upload files share most of their code, so the one-file build loads them together.
export { FsUploader } from './fs-uploader/fs-uploader.ts'
export { WfAttachments } from './wf-attachments/wf-attachments.ts'

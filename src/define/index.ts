// Every tag of the kit: what the one script of a page loads.
import './fs-uploader.ts'
import './wf-package-status.ts'

import { eventHeader } from '../../contract/values/headers.ts'
import type { BrowserOperation } from '../../contract/routes/routes.ts'
import type { FileAsset, UpdateMetaBody } from '../../contract/schemas/storage.ts'
import type { Holding } from '../http/connection.ts'
import type { Slots } from '../admission/slots.ts'
import { downloadFile } from '../files/download.ts'
import type { OfficeRouteSummary } from '../../contract/schemas/offices.ts'
import { changeToSend, fileForBrowser } from '../files/metadata.ts'
import { uploadFile, type UploadPolicy } from '../files/upload.ts'
import { packageKey } from '../changes/bus.ts'
import type { OpenLocks } from '../locks/open-locks.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { emptyReply, jsonReply, textReply } from '../http/reply.ts'
import type { Authorization, Authorizer } from '../rights/authorizer.ts'
import type { OperationContext, OperationHandler } from '../rights/operation-handler.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'
import { createOfficeReads, type OfficeOperation, summaryForBrowser } from './office-reads.ts'
import { type PresignOptions, redirectToLink } from './presign.ts'
import { type ChangeRecorderOptions, createChangeRecorder } from './record-change.ts'

export interface OperationHandlersOptions extends ChangeRecorderOptions {
  readonly upstream: Upstream
  readonly authorizer: Authorizer
  readonly uploads: UploadPolicy
  readonly presign: PresignOptions
  /** Counts a package that a person creates. Resolves to 0, or to the seconds until the next one is allowed. */
  readonly countCreation: (univid: string) => Promise<number>
  readonly locks: Pick<OpenLocks, 'isOfOther'>
  /** Places for one change of the entry of a package at a time, so that no reminder overwrites a change. */
  readonly entryTurns: Pick<Slots, 'take'>
}

/** Creates a function that returns the handler of an operation. */
export function createOperationHandlers({
  upstream,
  authorizer,
  uploads,
  presign,
  countCreation,
  locks,
  entryTurns,
  ...recorderOptions
}: OperationHandlersOptions): (name: BrowserOperation) => OperationHandler {
  const recordChange = createChangeRecorder(recorderOptions)

  const sendFile: OperationHandler = ({ operationRequest, authorization: { query } }) =>
    downloadFile({ ...operationRequest, query }, upstream)

  const officeReads = createOfficeReads({ upstream })
  const readOffices =
    (name: OfficeOperation): OperationHandler =>
    async (context) =>
      jsonReply(await officeReads(name, upstreamCall(context)), context.operationRequest.person.univid)

  const reads: Partial<Readonly<Record<BrowserOperation, OperationHandler>>> = {
    getActions: async ({ operationRequest }) =>
      jsonReply(await authorizer.allowedActions(operationRequest), operationRequest.person.univid),
    getEntry: async (context) => {
      const { operationRequest } = context
      const call = upstreamCall(context)
      const json = await upstream.callForJson('getEntry', call).catch(async (refusal: unknown) => {
        if (!isForPerson(refusal) || !(await authorizer.mayEdit(operationRequest))) throw refusal
        return await upstream.callForJson('getEntry', { ...call, bypassAuthorization: true })
      })
      return textReply(json, 'application/json', operationRequest.person.univid)
    },
    getFileMeta: ({ operationRequest, authorization }) =>
      jsonReply(fileForBrowser(fileIn(authorization)), operationRequest.person.univid),
    presignFile: (context) =>
      redirectToLink(upstreamCall(context), fileIn(context.authorization), upstream, presign),
    searchOffices: readOffices('searchOffices'),
    findOffices: readOffices('findOffices'),
    getOfficeRoute: readOffices('getOfficeRoute'),
    getRouteSummary: async (context) => {
      const { univid } = context.operationRequest.person
      const summaries = await officeReads('getRouteSummary', upstreamCall(context))
      return jsonReply(summaryForBrowser(summaries as OfficeRouteSummary[], univid), univid)
    },
    getPdf: sendFile,
    downloadAttachment: sendFile,
    getStatus: async (context) => {
      const { operationRequest, authorization } = context
      const ids = (authorization.query?.['id'] ?? []) as readonly unknown[]
      const rows = ids.length === 0 ? [] : await upstream.call('getStatus', upstreamCall(context))
      return jsonReply(onlyIds(rows, ids), operationRequest.person.univid)
    },
  }

  /** Changes return what the browser gets. */
  const changes: Partial<
    Readonly<Record<BrowserOperation, (context: OperationContext) => Promise<unknown>>>
  > = {
    createPackage: async (context) => {
      const wait = await countCreation(context.operationRequest.person.univid)
      if (wait > 0) throw refusals.tooManyPackages(wait)
      return await upstream.call('createPackage', upstreamCall(context))
    },
    updateEntry: async (context) => {
      const { params, signal } = context.operationRequest
      const hint = { formId: Number(params['formId']), packageId: Number(params['packageId']) }
      const leave = await entryTurns.take({ holder: packageKey(hint), signal })
      return await upstream.call('updateEntry', upstreamCall(context)).finally(leave)
    },
    uploadFile: async ({ request, connection, operationRequest }) =>
      fileForBrowser(
        (await uploadFile(request, connection, operationRequest, upstream, uploads)) as FileAsset,
      ),
    uploadAttachment: ({ request, connection, operationRequest }) =>
      uploadFile(request, connection, operationRequest, upstream, uploads),
    updateFileMeta: async (context) => {
      const { operationRequest, authorization } = context
      const change = changeToSend(
        operationRequest.body?.value as UpdateMetaBody,
        fileIn(authorization),
        uploads.maxExpiresIn,
      )
      const call = { ...upstreamCall(context), body: { json: change } }
      return fileForBrowser((await upstream.call('updateFileMeta', call)) as FileAsset)
    },
    deleteLock: async (context) => {
      const { formId, packageId, lockId } = context.operationRequest.params
      const lock = { formId: Number(formId), packageId: Number(packageId), lockId: Number(lockId) }
      // The right was decided for this package.
      if (await locks.isOfOther(lock)) throw refusals.lockUnknown()
      return await upstream.call('deleteLock', upstreamCall(context))
    },
  }

  return (name) => async (context) => {
    const { operation, person } = context.operationRequest
    const read = reads[name]
    if (read) return await read(context)

    if (operation.method === 'GET') {
      const json = await upstream.callForJson(name, upstreamCall(context))
      return textReply(json, 'application/json', person.univid)
    }
    const call = () => changes[name]?.(context) ?? upstream.call(name, upstreamCall(context))
    const replyWith = (result: unknown) =>
      operation.response === 'nothing' ? emptyReply(204) : jsonReply(result, person.univid)
    const { result, eventId } = await recordChange(context.operationRequest, call)
    const reply = replyWith(result)
    return eventId === undefined ? reply : { ...reply, headers: { ...reply.headers, [eventHeader]: eventId } }
  }
}

/** The call of the service that a request leads to. */
function upstreamCall({
  operationRequest,
  authorization,
}: OperationContext): UpstreamCall & { readonly holding: Holding } {
  const { operation, params, version, person, requestId, signal, holding, body } = operationRequest
  return {
    params,
    query: authorization.query,
    version,
    as: person,
    requestId,
    signal,
    holding,
    bypassAuthorization: operation.bypass === true,
    body: body && { jsonText: body.json },
  }
}

/** Whether the service has refused a request because of the person. It may also say that the package does not exist. */
function isForPerson(error: unknown): boolean {
  return error instanceof ProxyError && (error.status === 403 || error.status === 404)
}

/** The file that the authorizer has read to decide about it. */
function fileIn({ file }: Authorization): FileAsset {
  if (!file) throw new TypeError('The authorizer decides about a file without reading it')
  return file
}

/** The rows with these ids, even if the service sends more. Keeps `null`, which marks a row that is not valid. */
function onlyIds(rows: unknown, ids: readonly unknown[]): unknown {
  if (!Array.isArray(rows)) return []
  return rows.filter((row: { id?: unknown } | null) => row === null || ids.includes(row.id))
}

export { createProxy, type Proxy } from './mount/proxy.ts'
export type {
  ProxyIdentity,
  ProxyLimits,
  ProxyObservation,
  ProxyOptions,
  ProxyServices,
  ProxyStorage,
} from './mount/options.ts'
export { createMounts, MountsError } from './mount/mounts.ts'
export type { ListOptions, ReminderOptions } from './desk/desk.ts'
export type { ReminderLanguage } from './desk/reminder-text.ts'
export {
  createMemoryIndex,
  type Holder,
  type IndexedPackage,
  type ListCandidate,
  type ListPosition,
  type ListQuestion,
  type ListView,
  type PackageIndex,
} from './desk/package-index.ts'
export type { CallbackOptions } from './live/live-updates.ts'
export type { Service } from './upstream/credentials.ts'

// Identity and rights.
export { type Explain, type Identify, type Identity, personaCookie } from './identity/identity.ts'
export { type JwtAlgorithm, jwtIdentity, type JwtIdentityOptions } from './identity/jwt-identity.ts'
export { trustedHeader, type TrustedHeaderOptions } from './identity/trusted-header.ts'
export { adminsPolicy } from './rights/admins-policy.ts'
export { parsePolicy, PolicyError, type PolicyRules, readPolicy } from './rights/policy-rules.ts'
export { rulesPolicy } from './rights/rules-policy.ts'
export type {
  FileQuestion,
  FormQuestion,
  PackageQuestion,
  Policy,
  PolicyQuestion,
  ShareQuestion,
} from './rights/policy.ts'
export type { Finding, RefusalCause } from './http/finding.ts'
export type { Site } from './http/csrf.ts'

// Parts that a host may replace.
export type { Connection, DisconnectSignal } from './http/connection.ts'
export { fetchRuntime, type ProxyRuntime } from './mount/runtime.ts'
export { type Reply, responseOf } from './http/reply.ts'
export { type Bus, createLocalBus, type Hint, type LiveEvent } from './changes/bus.ts'
export { type CountedLimit, createLocalLimiter, type HeldLimit, type Limiter } from './admission/limiter.ts'
export type { Log } from './observe/log.ts'
export { type CallSpan, continueTrace, type RequestSpan, type StartSpan } from './observe/tracing.ts'
export type { MetricEvent, Metrics } from './observe/metrics.ts'
export type { Scan, ScanFacts } from './files/scan.ts'
export type { CallbackDelivery } from './callbacks/callback-inbox.ts'
export { CallbackError, type CallbackErrorOptions } from './callbacks/callback-error.ts'
export {
  type CallbackProgress,
  type CallbackSharing,
  type CallbackStore,
  type CallbackWorker,
  createMemoryCallbackStore,
  type MemoryStoreOptions,
  type StoredCallback,
  type UnverifiedCallback,
  type UnverifiedStore,
  type WaitingCallbacks,
} from './callbacks/callback-store.ts'
export { createOutcomeStore, type Outcome, type OutcomeStore } from './idempotency/outcome-store.ts'
export { createRunOnce, type OnceRequest, type RunOnce } from './idempotency/run-once.ts'
export { type Send, type SendRequest, type SendResponse, ServicePausedError } from './upstream/send.ts'
export type { UploadedFile, ReadUpload, UploadLimits } from './files/read-upload.ts'

export type { OpenapiOperation } from './openapi/openapi-components.ts'
export { createOpenapi, type OpenapiDocument, type OpenapiOptions } from './openapi/openapi.ts'

export { createProxy, type Proxy, type ProxyLimits, type ProxyOptions } from './proxy.ts'
export { createMounts, MountsError } from './mounts.ts'
export type { CallbackOptions } from './live/live-updates.ts'
export type { Service } from './upstream.ts'

// Who is signed in, and what they may do.
export { type Identify, type Identity, personaCookie } from './identity/identity.ts'
export { type JwtAlgorithm, jwtIdentity, type JwtIdentityOptions } from './identity/jwt-identity.ts'
export { trustedHeader, type TrustedHeaderOptions } from './identity/trusted-header.ts'
export { adminsPolicy } from './rights/admins-policy.ts'
export type { FileQuestion, PackageQuestion, Policy, PolicyQuestion, ShareQuestion } from './rights/policy.ts'
export type { Site } from './csrf.ts'

// What a host may put in place of our own.
export { type Bus, createLocalBus, type Hint, type LiveEvent } from './live/bus.ts'
export type { Log } from './log.ts'
export type { MetricEvent, Metrics } from './metrics.ts'
export type { Respond } from './problem.ts'
export type { Scan, ScanFacts } from './files/scan.ts'
export { createDedupeStore, type DedupeStore } from './callbacks/dedupe-store.ts'
export {
  type Send,
  type SendResponse,
  createFetchSend,
  type SendRequest,
  ServicePausedError,
} from './send.ts'
export type { IncomingFile, ReadUpload, UploadLimits } from './files/read-upload.ts'

export type { OpenapiOperation } from './openapi-components.ts'
export { createOpenapi, type OpenapiDocument, type OpenapiOptions } from './openapi.ts'

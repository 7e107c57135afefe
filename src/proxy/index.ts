export { createProxy, type Proxy, type ProxyLimits, type ProxyOptions } from './proxy.ts'
export { createMounts, MountsError } from './mounts.ts'
export type { CallbackOptions } from './live.ts'
export type { Service } from './upstream.ts'

// Who is signed in, and what they may do.
export { type Identify, type Identity, personaCookie } from './identity.ts'
export { type JwtAlgorithm, jwtIdentity, type JwtIdentityOptions } from './jwt-identity.ts'
export { trustedHeader, type TrustedHeaderOptions } from './trusted-header.ts'
export { adminsPolicy } from './admins.ts'
export type { FileQuestion, PackageQuestion, Policy, PolicyQuestion, ShareQuestion } from './policy.ts'
export type { Site } from './site.ts'

// What a host may put in place of our own.
export { type Bus, createLocalBus, type Hint, type LiveEvent } from './bus.ts'
export type { Log } from './log.ts'
export type { MetricEvent, Metrics } from './metrics.ts'
export type { Respond } from './problem.ts'
export type { Scan, ScanFacts } from './scan.ts'
export { createSeen, type Seen } from './seen.ts'
export { type Send, type SendAnswer, sendOver, type SendRequest, ServicePausedError } from './send.ts'
export type { IncomingFile, ReadUpload, UploadLimits } from './upload.ts'

export { createOpenapi, type OpenapiDocument, type OpenapiFacts, type OpenapiOperation } from './openapi.ts'
export { checkConformance } from './conformance/conformance.ts'
export type { CheckResult, Target } from './conformance/target.ts'

export { type ClamdOptions, clamdScan } from './clamd.ts'
export type { AddressGuardOptions } from './address-guard.ts'
export {
  type CallbackForwarder,
  forwardCallbacks,
  type ForwardCallbacksOptions,
} from './callbacks/forward-callbacks.ts'
export type { BreakerOptions } from './breaker.ts'
export {
  createHttpServer,
  createListener,
  type HttpServerOptions,
  type ListenerHandler,
  type ListenerOptions,
  type MountableListener,
} from './listener.ts'
export { createLog, type LogOptions } from './observe/log.ts'
export { createMetrics } from './observe/metrics.ts'
export { openTelemetrySpans } from './observe/open-telemetry.ts'
export { createRedis, type Redis, type RedisOptions } from './redis/redis.ts'
export { RedisModeError } from './redis/redis-connection.ts'
export { nodeRuntime, type NodeRuntime, type NodeRuntimeOptions } from './runtime.ts'
export type { SendOptions } from './send.ts'
export type { MinimumRate } from './rate.ts'
export { StorageError } from './storage/database.ts'
export { openStorage, type Storage, type StorageOptions } from './storage/storage.ts'
export type { ReadUploadOptions } from './upload.ts'

// The entry of the one-file build.
import '../elements/drop-in-order.ts'
export * from './index.ts'

// The entry of the one-file build.
import './early.ts'
import '../elements/drop-in-order.ts'
export * from './index.ts'

// Checks a running proxy in any language against the contract.
export { checkConformance } from './conformance.ts'
export type { CheckResult, Target } from './target.ts'

export { withExamples } from './documented-examples.ts';
export {
  awaitOutside,
  recordOutsideFailures,
  withholdsCostlyOutput,
  withholdsUnfinished,
  withholdsUninspected,
} from './incomplete-inspection.ts';
export type { InspectionProgress } from './inspection-progress.ts';
export { InspectionReport } from './inspection-report.ts';
export { PROVIDER_KEY_RULE, WHOLE_RESPONSE } from './provider-key-rule.ts';
export { SecurityReport } from './security-report.ts';

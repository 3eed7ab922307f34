export { type ReadText, withExamples } from './documented-examples.ts';
export { SecurityReport } from './security-report.ts';

export { inspectInput, inspectInputNow } from './inspect-input.ts';

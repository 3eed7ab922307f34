export { inspectInput, inspectInputNow } from './inspect-input.ts';
export { InspectedInput } from './inspected-input.ts';

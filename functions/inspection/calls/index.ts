/** Inspects the tool calls of a request and of its response, and removes those that may not be sent (docs/detection.md#tool-calls). */
export { CallInspector } from './call-inspector.ts';

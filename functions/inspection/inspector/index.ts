export { FindingCache } from './finding-cache.ts';
export { Inspector } from './inspector.ts';

import { createInspector } from '../../../functions/detectors/index.ts';

createInspector();

export { handler } from './gateway-code.ts';

import { createInspector } from '../../../functions/inspection/detectors/index.ts';

createInspector();

export { handler } from './gateway-code.ts';

import { createInspector } from '../../../functions/inspection/index.ts';

createInspector();

export { handler } from './gateway-code.ts';

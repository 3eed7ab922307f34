import { composeGateway } from '../../../functions/gateway/compose.ts';

// Loaded, and not composed: the bundler keeps what something looks at.
if (typeof composeGateway !== 'function') throw new Error('not loaded');

export { handler } from './aws-clients.ts';

import type { Provider } from './routes.ts';

/**
 * Fields that a provider of another protocol is not told and nobody refuses, each with its reason: by route, provider and
 * place, what stands in it too.
 */
export const UNTOLD: Readonly<Record<string, Partial<Record<Provider, Readonly<Record<string, string>>>>>> = {};

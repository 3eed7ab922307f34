/** The emergency switch of the deployment, as this process knows it. */
export { LiveOverride, overrideAt } from './live-override.ts';

/** The emergency switch of the deployment, as this process knows it, and what it leaves of a policy. */
export { LiveOverride, type Override, overrideAt } from './live-override.ts';
export { observedPolicy } from './observed-policy.ts';

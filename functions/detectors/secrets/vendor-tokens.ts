import type { VendorToken } from './vendor-token.ts';
import { AI_TOKENS } from './vendors/ai.ts';
import { BUSINESS_TOKENS } from './vendors/business.ts';
import { CLOUD_TOKENS } from './vendors/cloud.ts';
import { DEVELOPMENT_TOKENS } from './vendors/development.ts';

/** Formats as the vendors document them, or as secret scanners (gitleaks, secretlint) agree on them. */
export const VENDOR_TOKENS: readonly VendorToken[] = [
  ...AI_TOKENS,
  ...CLOUD_TOKENS,
  ...DEVELOPMENT_TOKENS,
  ...BUSINESS_TOKENS,
];

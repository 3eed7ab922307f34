import type { Rule } from '../../core/inspect/rule.ts';
import { ASSIGNED_SECRET } from './assigned-secret.ts';
import { CREDENTIAL_RULES } from './credential-rules.ts';
import { VENDOR_RULES } from './vendor-rules.ts';

export const SECRET_RULES: readonly Rule[] = [...VENDOR_RULES, ...CREDENTIAL_RULES, ASSIGNED_SECRET];

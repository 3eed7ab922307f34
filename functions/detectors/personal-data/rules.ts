import type { Rule } from '../../core/inspect/rule.ts';
import { CONTACT_RULES } from './contact-rules.ts';
import { DOCUMENT_RULES } from './document-rules.ts';
import { FINANCIAL_RULES } from './financial-rules.ts';
import { nationalIdRule } from './national-id.ts';
import { AMERICAN_IDS } from './national-ids/americas.ts';
import { OTHER_IDS } from './national-ids/asia-pacific-africa.ts';
import { EUROPEAN_IDS } from './national-ids/europe.ts';
import { WEAK_RULES } from './weak-rules.ts';

export const PERSONAL_DATA_RULES: readonly Rule[] = [
  ...CONTACT_RULES,
  ...FINANCIAL_RULES,
  ...[...AMERICAN_IDS, ...EUROPEAN_IDS, ...OTHER_IDS].map(nationalIdRule),
  ...DOCUMENT_RULES,
  ...WEAK_RULES,
];

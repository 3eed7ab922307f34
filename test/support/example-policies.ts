import { readFileSync } from 'node:fs';
import { type PolicySettings, policySchema } from '../../functions/kernel/model/index.ts';

const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');

/** The part of docs/policies.md about tools. */
export const [LIMITS_OF_AGENTS = ''] = /^## Limit what agents may do$.*?(?=^## )/ms.exec(page) ?? [];

/** Its example policies, by the kind of agent. */
export const EXAMPLE_POLICIES: Readonly<Record<string, PolicySettings>> = Object.fromEntries(
  [...LIMITS_OF_AGENTS.matchAll(/\*\*An? (\w+) agent\*\*.*?```json\n(.*?)```/gs)].map(([, name = '', json = '']) => [
    name,
    policySchema.parse(JSON.parse(json)),
  ]),
);

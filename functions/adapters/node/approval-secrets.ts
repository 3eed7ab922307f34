import type { ApprovalSecrets } from '../../control/approvals/index.ts';
import { createSecretSealer } from '../aws/secret-sealer.ts';
import { createKeyHasher } from './hmac-key-hasher.ts';

/** Hashes with the peppers in `secret`, and seals with keys derived from them, which gateway and admin API both have. */
export function createApprovalSecrets(secret: () => Promise<string>): ApprovalSecrets {
  const { hashes } = createKeyHasher(secret);
  return { hashes, ...createSecretSealer(secret, 'svc approval') };
}

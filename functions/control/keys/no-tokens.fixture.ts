import type { Authenticator, TokenCallers } from './authenticate.ts';

/** A service without issuers of tokens. */
export const NO_TOKENS: TokenCallers = {
  accepts: () => false,
  find: async () => {
    throw new Error('no token is accepted');
  },
};

/** A service without imported keys. */
export const NONE_IMPORTED: Authenticator['imported'] = {
  hashes: async (secret) => [secret],
  mayHold: async () => false,
};

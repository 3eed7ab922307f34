import type { TokenCallers } from './authenticate.ts';

/** A service without issuers of tokens. */
export const NO_TOKENS: TokenCallers = {
  accepts: () => false,
  find: async () => {
    throw new Error('no token is accepted');
  },
};

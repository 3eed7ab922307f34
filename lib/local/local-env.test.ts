import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '../../functions/core/access/api-key-format.ts';
import { readLocalEnv } from './local-env.ts';

describe("the local run's environment", () => {
  it('has defaults, for empty variables too', () =>
    expect(readLocalEnv({ PORT: '', SVC_DATA_DIR: undefined })).toMatchObject({
      PORT: 8787,
      SVC_DATA_DIR: '.svc',
      SVC_MAX_BODY_BYTES: 6 * 1024 * 1024,
    }));

  it('is read', () => {
    const SVC_ADMIN_KEY = mintApiKey();
    expect(readLocalEnv({ PORT: '0', SVC_ADMIN_KEY })).toMatchObject({ PORT: 0, SVC_ADMIN_KEY });
  });

  it('that is wrong is told with every wrong variable by name, and without a value', () => {
    const wrong = { PORT: '99999', SVC_ADMIN_KEY: `svc_sk_${'a'.repeat(38)}`, AWS_ENDPOINT_URL_SQS: 'no address' };
    try {
      readLocalEnv(wrong);
      throw new Error('nothing was thrown');
    } catch (error) {
      const { message } = error as Error;
      for (const [name, value] of Object.entries(wrong)) {
        expect(message).toContain(name);
        expect(message).not.toContain(value);
      }
    }
  });
});

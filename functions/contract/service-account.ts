import * as z from 'zod';

/** A key of a Google service account: https://docs.cloud.google.com/iam/docs/keys-create-delete */
const keySchema = z.object({
  type: z.literal('service_account'),
  client_email: z.string().regex(/^[a-z0-9.-]{1,128}@[a-z0-9.-]{1,128}\.gserviceaccount\.com$/),
  private_key_id: z.string().regex(/^[0-9a-f]{1,64}$/),
  private_key: z.string().regex(/^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/),
  // Other universes have other hosts.
  universe_domain: z.literal('googleapis.com').optional(),
});

/** A service account of Google Cloud and the key that it signs with. */
export interface ServiceAccountKey {
  readonly kind: 'service account';
  readonly email: string;
  readonly keyId: string;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

/** The key that the value of a credential is; undefined for any other value. */
export function readServiceAccountKey(value: string): ServiceAccountKey | undefined {
  if (!value.startsWith('{')) return undefined;
  try {
    const { data } = keySchema.safeParse(JSON.parse(value));
    return (
      data && {
        kind: 'service account',
        email: data.client_email,
        keyId: data.private_key_id,
        privateKey: data.private_key,
      }
    );
  } catch {
    return undefined;
  }
}

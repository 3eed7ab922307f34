import type { AwsCredentials, AwsIdentity } from './sign-aws-request.ts';

/**
 * Region and credentials as AWS's tools find them: from the environment, which is all that Lambda has, and only where they are
 * not there by the SDK's own ways (profiles, containers, single sign-on), whose code is loaded then. A profile that is named
 * (`AWS_PROFILE`) goes before keys, as with the SDK.
 */
export function awsEnvironment(): AwsIdentity {
  const { env } = process;
  let known: (() => Promise<AwsCredentials>) | undefined;
  return {
    region: async () => env.AWS_REGION || env.AWS_DEFAULT_REGION || (await regionOfProfile()),
    credentials: async () => {
      known ??= credentialsIn(env) ?? (await credentialsOfSdk());
      return known();
    },
  };
}

function credentialsIn({
  AWS_PROFILE: profile,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
}: NodeJS.ProcessEnv): (() => Promise<AwsCredentials>) | undefined {
  if (profile || !accessKeyId || !secretAccessKey) return undefined;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  return async () => credentials;
}

/** Gives credentials for as long as they hold, and new ones then. */
async function credentialsOfSdk(): Promise<() => Promise<AwsCredentials>> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider();
}

/** Rejects where no profile names one. */
async function regionOfProfile(): Promise<string> {
  const { loadConfig, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS } = await import(
    '@smithy/core/config'
  );
  return loadConfig(NODE_REGION_CONFIG_OPTIONS, NODE_REGION_CONFIG_FILE_OPTIONS)();
}

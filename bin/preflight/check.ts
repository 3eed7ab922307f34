import type { STSClientConfig } from '@aws-sdk/client-sts';
import type { Settings } from '../../lib/settings/settings.ts';

/** Where a stage is deployed to, and by whom. */
export interface Target {
  readonly settings: Settings;
  readonly account: string;
  readonly region: string;
  /** `aws`, or that of China or of a government. */
  readonly partition: string;
  readonly arn: string;
  /** Options of a client for a region: the deployer's credentials, and one attempt, since the operator sees the error and can retry. */
  readonly clientIn: (region: string) => {
    readonly region: string;
    readonly maxAttempts: number;
    readonly credentials: NonNullable<STSClientConfig['credentials']>;
  };
}

export interface Remarks {
  /** Each is a sentence with the fault, and the command or page that corrects it. */
  readonly faults?: readonly string[];
  readonly warnings?: readonly string[];
  /** Context for `cdk deploy`, by name. */
  readonly context?: Readonly<Record<string, string>>;
}

/** One read call. */
export interface Check {
  /** Completes "Not checked: ...". */
  readonly what: string;
  /** The permission that it needs; undefined if it needs none. */
  readonly action: string | undefined;
  /** Rejects if AWS does not return what it reads: the check is then left out, with a warning. */
  readonly run: (deadline: Deadline) => Promise<Remarks>;
}

export interface Deadline {
  readonly abortSignal: AbortSignal;
}

/** Adds the permission that a call needs to its error, if it is not the check's first one. */
export function needing(action: string): (error: unknown) => never {
  return (error) => {
    throw Object.assign(error as Error, { action });
  };
}

/** The result; undefined if AWS reports that the resource does not exist. */
export async function findUnless<Resource>(
  missing: string,
  find: () => Promise<Resource>,
): Promise<Resource | undefined> {
  try {
    return await find();
  } catch (error) {
    if ((error as Error).name === missing) return undefined;
    throw error;
  }
}

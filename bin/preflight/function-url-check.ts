import { randomUUID } from 'node:crypto';
import { AddPermissionCommand, CreateFunctionUrlConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { hasFunctionUrls, type Settings } from '../../lib/settings/settings.ts';
import type { Check, Target } from './check.ts';

/**
 * Whether a policy of the organization denies public function URLs. IAM's simulator leaves out service control policies with conditions, and
 * these have one (`lambda:FunctionUrlAuthType`). So the check makes the deployment's two calls for a function that does not exist: AWS
 * evaluates the policies first, then says that there is no such function, and nothing is created.
 */
export function functionUrlChecks({ settings, region, clientIn }: Target): readonly Check[] {
  if (!hasFunctionUrls(settings)) return [];
  return [
    {
      what: 'whether your organization allows public function URLs',
      // AWS reports an explicit denial even to callers without the permission.
      action: undefined,
      run: async (deadline) => {
        const lambda = new LambdaClient(clientIn(region));
        const FunctionName = `svc-preflight-${randomUUID()}`;
        const url = new CreateFunctionUrlConfigCommand({ FunctionName, AuthType: 'NONE' });
        const permission = new AddPermissionCommand({
          FunctionName,
          StatementId: 'preflight',
          Action: 'lambda:InvokeFunctionUrl',
          Principal: '*',
          FunctionUrlAuthType: 'NONE',
        });
        const denied = [
          ...(await deniedBy(lambda.send(url, deadline), 'lambda:CreateFunctionUrlConfig')),
          ...(await deniedBy(lambda.send(permission, deadline), 'lambda:AddPermission')),
        ];
        if (denied.length === 0) return {};
        return {
          faults: [
            `A policy of your organization denies ${denied.join(' and ')} for public function URLs. ${wayOut(settings)}`,
          ],
        };
      },
    },
  ];
}

/** The action, if a policy of the organization denies it. */
async function deniedBy(call: Promise<unknown>, action: string): Promise<string[]> {
  try {
    await call;
    return [];
  } catch (error) {
    const { name } = error as Error;
    if (name === 'ResourceNotFoundException') return [];
    if (name !== 'AccessDeniedException') throw error;
    return isDeniedByOrganization(error as Error) ? [action] : [];
  }
}

/** AWS names the kind of the policy that denies: https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html */
function isDeniedByOrganization({ message }: Error): boolean {
  return /(?:explicit deny in a|no) (?:service|resource) control policy/.test(message);
}

/** Containers and the Web Function have the admin API as a function beside them, which only a function's gateway shares a REST API with. */
function wayOut({ compute = 'function-url' }: Settings): string {
  const change = compute === 'function-url' ? '' : '"compute": "function-url" and ';
  return `Use API Gateway instead, with ${change}"distribution": false and "restApi": true, or ask for an exception: docs/deploy.md#a-landing-zone.`;
}

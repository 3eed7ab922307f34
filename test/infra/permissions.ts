import type { Synthesized } from './synthesize.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/**
 * What the roles of both stacks may do, by the role's name: `ACTION on RESOURCE where CONDITION`, sorted, each resource by its construct's
 * name whichever stack holds it. Throws where a role is given anything in another way than by plain statements.
 */
export function permissionsByRole({ data, gateway }: Synthesized): Record<string, string[]> {
  const resourceName = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const [[name, argument] = []] = Object.entries(value as Record<string, unknown>);
    if (name === 'Fn::GetStackOutput') {
      const { OutputName } = argument as { OutputName: string };
      return resourceName(data.Outputs?.[OutputName]?.Value ?? OutputName);
    }
    if (name === 'Ref') return withoutHash(String(argument));
    if (name === 'Fn::GetAtt') return withoutHash((argument as string[])[0] ?? '');
    if (name === 'Fn::Sub') return String(argument);
    if (name === 'Fn::Join') return (argument as [string, unknown[]])[1].map(resourceName).join('');
    throw new Error(`not a resource: ${JSON.stringify(value)}`);
  };
  const permission = (statement: Statement): string[] => {
    const { Effect, Action, Resource, Condition, ...others } = statement;
    if (Effect !== 'Allow' || Object.keys(others).length > 0)
      throw new Error(`not plain: ${JSON.stringify(statement)}`);
    const resources = [Resource].flat().map(resourceName);
    const bounds = Condition === undefined ? '' : ` where ${JSON.stringify(Condition)}`;
    return [Action].flat().flatMap((action) => resources.map((resource) => `${action} on ${resource}${bounds}`));
  };

  const permissions: Record<string, string[]> = {};
  for (const [id, { Type, Properties = {} }] of Object.entries({ ...data.Resources, ...gateway.Resources })) {
    if (Type === 'AWS::IAM::Role') {
      // CDK's functions that copy the code of a Web Function, and empty its bucket.
      if (/^CustomS3/.test(id)) continue;
      // Lambda's managed policy for network interfaces; no code has this role.
      if (/ConnectorOperatorRole/.test(id)) continue;
      if (Properties.ManagedPolicyArns ?? Properties.Policies) throw new Error(`${id} has policies of its own`);
      permissions[withoutHash(id)] ??= [];
    }
    if (Type !== 'AWS::IAM::Policy' || /^CustomS3/.test(id)) continue;
    const { Statement } = Properties.PolicyDocument as { Statement: Statement[] };
    for (const role of (Properties.Roles as unknown[]).map(resourceName)) {
      permissions[role] = [...(permissions[role] ?? []), ...Statement.flatMap(permission)].sort();
    }
  }
  return permissions;
}

/** The logical id without the eight digits that CDK appends. */
function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

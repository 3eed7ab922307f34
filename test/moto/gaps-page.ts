/** What server.py reports when it stops. */
interface Report {
  /** Types without a service behind them. */
  readonly placeholders: readonly string[];
  /** Properties that no code of moto read, by type. */
  readonly unread: Readonly<Record<string, readonly string[]>>;
  /** Types whose updates moto ignored. */
  readonly notUpdated: readonly string[];
}

/** The page test/moto/README.md. */
export function gapsPage({ placeholders, unread, notUpdated }: Report): string {
  return `# Tests on moto

\`npm test moto\` runs on [moto](https://docs.getmoto.org), a simulator of AWS in Python:

- the stacks: plain, full and with each front door; each setting removed and added again; failed creations; deletes
- the stores, webhook delivery, the contract and the threats, with moto's DynamoDB and SQS
- secrets and the rotation of the origin secret; the export of findings to EventBridge and Firehose

One test of the stores is expected to fail, that of deliveries after a restart: moto keeps nothing on disk. \`server.py\` starts moto and
runs one request of DynamoDB at a time: AWS's conditional updates are atomic, moto's are not.

## What CloudFormation does here that moto does not

| Gap of moto | Here |
|---|---|
| \`AWS::DynamoDB::GlobalTable\`, \`AWS::Lambda::Alias\`, \`AWS::SecretsManager::Secret\` | \`server.py\` creates them in moto's services |
| \`Fn::GetStackOutput\` is unknown; an update forgets exports | \`stacks.ts\` puts the outputs of deployed stacks in their place |
| An export that another stack imports can be removed | \`stacks.ts\` refuses it |
| An update deletes removed resources, whatever their deletion policy | \`server.py\` keeps retained ones |
| A failed creation is not rolled back | The tests delete the stack, as CDK does before it creates it again |
| \`Rules\` of a template | Not checked |
| Rotation of secrets, custom resources, event sources call functions in Docker | Not called |

## Placeholders

moto's CloudFormation lacks these types, and hosted zones for record sets. They get an id and attributes, and nothing is behind them:

${placeholders.map((type) => `- \`${type}\``).join('\n')}

## Properties without effect

| Type | Properties that moto does not read |
|---|---|
${Object.entries(unread)
  .map(([type, names]) => `| \`${type}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`)
  .join('\n')}

Updates without effect: ${notUpdated.map((type) => `\`${type}\``).join(', ')}.
`;
}

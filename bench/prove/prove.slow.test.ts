import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startLocalProcess } from '../../test/contract/local-process.ts';
import type { ProviderSettings, Service } from '../../test/contract/service.ts';
import { WITHOUT_EVENTS } from '../../test/support/quick-start.ts';
import { ACCOUNT, PLAN } from './plan.fixture.ts';
import { HOMES } from './plan.ts';
import { runSteps } from './run.ts';
import { stepsOf } from './steps.ts';

const SEARCHED = process.env.PATH;

describe('a proof', () => {
  let folder: string;
  let service: Service;
  let door: { readonly url: string; close(): void };
  let fails = '';
  const file = (name: string) => path.join(folder, name);
  const called = () => readFileSync(file('calls'), 'utf8').trim().split('\n');

  /** Programs that record their arguments, and print what AWS would; `stopped` exists while the function has no concurrency. */
  function install(outputs: object): void {
    const key = service.adminKey;
    const metric = (id: string, values: number[]) => ({ Id: id, Values: values });
    const measured = { MetricDataResults: [metric('d0', [60_000, 40_000]), metric('d2', [50]), metric('d6', [2, 2])] };
    const resources = [
      ['GatewayFunction1', 'AWS::Lambda::Function', 'the-function'],
      ['FargateGatewayCluster', 'AWS::ECS::Cluster', 'the-cluster'],
      ['FargateGatewayService', 'AWS::ECS::Service', 'the-service'],
    ];
    const answers = {
      'sts get-caller-identity': `echo ${ACCOUNT}`,
      'cloudformation list-stacks': 'true',
      'cloudformation describe-stacks': `echo '${JSON.stringify(outputs)}'`,
      'cloudformation list-stack-resources': `echo '${JSON.stringify(resources)}'`,
      'secretsmanager get-secret-value': `echo ${key}`,
      'lambda put-function-concurrency': `touch ${file('stopped')}`,
      'lambda delete-function-concurrency': `rm ${file('stopped')}`,
      'ecs list-tasks': 'echo the-task',
      'ecs stop-task': 'echo STOPPED',
      'ecs describe-services': 'echo "2 2"',
      'cloudwatch get-metric-data': `echo '${JSON.stringify(measured)}'`,
      'cloudwatch list-metrics': 'echo HTTPResponseStatusClass5XX HTTPResponseStatusClass5XX',
      'cloudwatch describe-alarms': 'true',
    };
    const cases = Object.entries(answers).map(([words, answer]) => `"${words}"*) ${answer};;`);
    const record = `echo "$(basename $0) $*" >> ${file('calls')}`;
    const refusal = '*) echo "no such call: $*" >&2; exit 254;;';
    writeFileSync(file('aws'), `#!/bin/sh\n${record}\ncase "$*" in ${cases.join(' ')} ${refusal} esac\n`);
    const fault = `case "$*" in *"$(cat ${file('fails')})"*) echo "planted fault" >&2; exit 1;; esac`;
    for (const name of ['npm', 'npx']) writeFileSync(file(name), `#!/bin/sh\n${record}\n${fault}\n`);
    for (const name of ['aws', 'npm', 'npx']) chmodSync(file(name), 0o755);
    process.env.PATH = `${folder}:${SEARCHED}`;
  }

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'svc-prove-'));
    service = await startLocalProcess({} as ProviderSettings, WITHOUT_EVENTS);
    door = await startDoor(service.baseUrl, file('stopped'));
    install([
      { OutputKey: 'BaseUrl', OutputValue: `${door.url}/v1` },
      { OutputKey: 'AdminUrl', OutputValue: service.adminUrl },
      {
        OutputKey: 'FirstAdminKeyCommand',
        OutputValue: 'aws secretsmanager get-secret-value --region eu-central-1 --secret-id first --query SecretString',
      },
    ]);
  });
  afterAll(async () => {
    process.env.PATH = SEARCHED;
    door?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async () => {
    writeFileSync(file('fails'), fails === '' ? 'no call' : fails);
    const printed: string[] = [];
    const fault = await runSteps(PLAN, {
      folder: file('proof'),
      adminKey: undefined,
      print: (line) => printed.push(line),
    });
    return { fault, printed: printed.join('\n'), report: readFileSync(file('proof/report.md'), 'utf8') };
  };

  test('stops at a fault, and goes on from there when it is run again', async () => {
    fails = 'compute=fargate --require';
    const stopped = await run();
    expect(stopped.fault).toMatch(/^deploy-fargate: npm run deploy .*: exit 1: planted fault$/);
    expect(stopped.report).toContain('**Stopped.** deploy-fargate');
    // What it has made so far is still there.
    expect(stopped.report).toContain(
      '- the stacks svc-staging-data, svc-staging-gateway and svc-staging-operations (deploy-function-url)',
    );
    expect(stopped.report).toContain('10 streams from');

    fails = '';
    const before = called().length;
    const { fault, report, printed } = await run();
    expect(fault).toBeUndefined();
    const since = called().slice(before);
    expect(since.filter((call) => call.startsWith('npm'))).toEqual([
      'npm run deploy -- --stage Staging --context compute=fargate --require-approval never',
      'npm run deploy -- --stage Staging --context compute=web-function --require-approval never',
    ]);
    expect(since.at(-1)).toBe(
      'npx cdk destroy svc-staging-operations svc-staging-gateway --context stage=Staging --context compute=web-function --force',
    );
    expect(since).toContain(
      'aws ecs stop-task --cluster the-cluster --task the-task --query task.desiredStatus --region eu-central-1 --no-cli-pager',
    );

    // Every step is in the report, and what stays.
    for (const { id } of stepsOf(PLAN)) expect(report).toMatch(new RegExp(`^\\| ${id} \\| .* \\| \\d{4}-`, 'm'));
    expect(report).toContain('| DynamoDB: write units of tables | 50 units | 0.0000 |');
    expect(report).toContain('| Lambda: GB-seconds of all functions | 100 GB-s | 0.0013 |');
    expect(report).toContain('Metrics in `AWS/Lambda/Web`: HTTPResponseStatusClass5XX.');
    const left = report.split('## Left behind')[1] ?? '';
    expect(left.trim().split('\n')).toEqual([expect.stringContaining('- the stack svc-staging-data with its tables')]);

    // A proof that is done makes nothing again.
    const after = called().length;
    expect((await run()).fault).toBeUndefined();
    expect(called()).toHaveLength(after);
    for (const text of [report, printed, readFileSync(file('proof/state.json'), 'utf8')])
      expect(text).not.toMatch(/svc_sk_\w{20}/);

    // Its keys are revoked.
    const keys = await fetch(`${service.adminUrl}/admin/keys?limit=50`, {
      headers: { authorization: `Bearer ${service.adminKey}` },
    });
    const { data } = (await keys.json()) as { data: { name: string; state: string }[] };
    const own = data.filter(({ name }) => name === 'prove');
    expect(own.length).toBeGreaterThanOrEqual(2 * HOMES.length);
    expect(own.every(({ state }) => state === 'revoked')).toBe(true);
  });
});

/** A front door that refuses requests while the file exists, as Lambda does without concurrency. */
async function startDoor(target: string, stopped: string) {
  const { hostname, port } = new URL(target);
  const server = http.createServer((request, response) => {
    const isStopped = spawnSync('test', ['-e', stopped]).status === 0;
    if (isStopped && request.method === 'POST') return response.writeHead(429).end();
    const { method, url: asked, headers } = request;
    const passed = http.request({ hostname, port, method, path: asked, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { type Duration, Validations } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { createFunction, type FunctionEnvironment, type FunctionProps } from './create-function.ts';
import { liveAlias } from './live-alias.ts';

export interface ScheduledFunctionProps<Env> extends FunctionProps<Env> {
  readonly every: Duration;
}

/** A function that is run again and again. Its role may write its own logs and nothing else until the stack grants more. */
export class ScheduledFunction<Env extends FunctionEnvironment> extends Construct implements iam.IGrantable {
  readonly grantPrincipal: iam.IPrincipal;

  constructor(scope: Construct, id: string, props: ScheduledFunctionProps<Env>) {
    super(scope, id);
    const { handler, role } = createFunction(this, props);
    const live = liveAlias(handler);
    const rule = new events.Rule(this, 'Schedule', {
      description: props.description,
      schedule: events.Schedule.rate(props.every),
      targets: [new targets.LambdaFunction(live)],
    });
    this.grantPrincipal = role;
    const reason = 'Its event says nothing but that it is time: a run that failed is made good by the next one.';
    Validations.of(handler).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
  }
}

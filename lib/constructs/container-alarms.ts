import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';
import { CONTAINER_METRICS } from '../../functions/gateway/env.ts';
import type { WatchedGateway } from '../functions/function-context.ts';
import { type AlarmTopics, createAlarm, createSilenceAlarm, ownMetric } from './alarm.ts';

type Containers = NonNullable<WatchedGateway['containers']>;

/** With fewer in five minutes the load balancer is not evaluated. */
const FEW_FAILURES = 5;
/** Autoscaling aims at 60 %. */
const BUSY_PERCENT = 85;

export interface ContainerAlarmsProps {
  readonly containers: Containers;
  readonly topics: AlarmTopics;
}

/** Alarms on the containers of the gateway and their load balancer. */
export class ContainerAlarms extends Construct {
  /** Alarms of failed requests. */
  readonly symptoms: readonly cloudwatch.IAlarm[];

  constructor(scope: Construct, id: string, { containers, topics }: ContainerAlarmsProps) {
    super(scope, id);
    const { service, loadBalancer, targets } = containers;
    const none = createSilenceAlarm(this, 'NoContainer', {
      metric: targets.metrics.healthyHostCount({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      period: Duration.minutes(1),
      periods: 3,
      means: 'No container of the gateway passes its health check.',
      runbook: 'no-container',
      severity: 'page',
      topics: undefined,
    });
    const fails = createAlarm(this, 'LoadBalancerFails', {
      // Its own responses: those of the containers have records.
      metric: loadBalancer.metrics.httpCodeElb(elb.HttpCodeElb.ELB_5XX_COUNT, {
        statistic: 'Sum',
      }) as cloudwatch.Metric,
      threshold: FEW_FAILURES,
      periods: 2,
      means: 'The load balancer returned 5xx that no container sent.',
      runbook: 'a-front-door-fails',
      severity: 'page',
      topics: undefined,
    });
    const busy = { Cpu: service.metricCpuUtilization(), Memory: service.metricMemoryUtilization() };
    for (const [name, metric] of Object.entries(busy)) {
      createAlarm(this, `${name}High`, {
        metric: metric as cloudwatch.Metric,
        threshold: BUSY_PERCENT,
        periods: 3,
        means: `The containers use at least ${BUSY_PERCENT} % of their ${name === 'Cpu' ? 'CPU' : 'memory'}.`,
        runbook: 'containers-busy',
        severity: 'ticket',
        topics,
      });
    }
    this.symptoms = [none, fails];
  }
}

/** Graphs of the load balancer and the containers. */
export function containerWidgets(
  gateway: WatchedGateway,
  { service, loadBalancer, targets }: Containers,
  width: number,
): cloudwatch.IWidget[] {
  const mean = (name: string, label: string) => ownMetric(gateway, name, 'Average').with({ label });
  return [
    new cloudwatch.GraphWidget({
      title: 'Load balancer',
      width,
      left: [
        loadBalancer.metrics.requestCount({ label: 'requests' }),
        loadBalancer.metrics.httpCodeElb(elb.HttpCodeElb.ELB_5XX_COUNT, { label: '5xx of the load balancer' }),
        targets.metrics.httpCodeTarget(elb.HttpCodeTarget.TARGET_5XX_COUNT, { label: '5xx of containers' }),
      ],
      right: [
        targets.metrics.healthyHostCount({ statistic: 'Minimum', label: 'containers' }),
        targets.metrics.unhealthyHostCount({ statistic: 'Maximum', label: 'unhealthy' }),
      ],
    }),
    new cloudwatch.GraphWidget({
      title: 'Containers: CPU and memory, %',
      width,
      left: [service.metricCpuUtilization({ label: 'CPU' }), service.metricMemoryUtilization({ label: 'memory' })],
    }),
    new cloudwatch.GraphWidget({
      title: 'Running requests of a container',
      width,
      left: [mean(CONTAINER_METRICS.requests, 'requests'), mean(CONTAINER_METRICS.streams, 'streams')],
    }),
  ];
}

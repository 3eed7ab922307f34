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
    const { service, loadBalancer } = containers;
    const none = createSilenceAlarm(this, 'NoContainer', {
      metric: targetMetric(containers, 'HealthyHostCount', { statistic: 'Maximum' }),
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
export function containerWidgets(gateway: WatchedGateway, containers: Containers, width: number): cloudwatch.IWidget[] {
  const { service, loadBalancer } = containers;
  const ofTargets = (name: string, options: cloudwatch.MetricOptions) => targetMetric(containers, name, options);
  const mean = (name: string, label: string) => ownMetric(gateway, name, 'Average').with({ label });
  return [
    new cloudwatch.GraphWidget({
      title: 'Load balancer',
      width,
      left: [
        loadBalancer.metrics.requestCount({ label: 'requests' }),
        loadBalancer.metrics.httpCodeElb(elb.HttpCodeElb.ELB_5XX_COUNT, { label: '5xx of the load balancer' }),
        ofTargets('HTTPCode_Target_5XX_Count', { statistic: 'Sum', label: '5xx of containers' }),
      ],
      right: [
        ofTargets('HealthyHostCount', { statistic: 'Minimum', label: 'containers' }),
        ofTargets('UnHealthyHostCount', { statistic: 'Maximum', label: 'unhealthy' }),
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

/** A metric of the containers behind the load balancer. CDK's own reads a name out of the listener's ARN, which another stack cannot do. */
function targetMetric(
  { loadBalancer, targets }: Containers,
  name: string,
  options: cloudwatch.MetricOptions,
): cloudwatch.Metric {
  const { loadBalancerFullName: LoadBalancer } = loadBalancer;
  const dimensionsMap = { LoadBalancer, TargetGroup: targets.targetGroupFullName };
  return loadBalancer.metrics.custom(name, { ...options, dimensionsMap }) as cloudwatch.Metric;
}

import { CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { WebAcl } from '../constructs/web-acl.ts';
import { type Settings, wafOf, zoneOf } from '../settings/settings.ts';

/** The only region of CloudFront's certificates and web ACLs. */
export const EDGE_REGION = 'us-east-1';
const OUTPUTS = { certificate: 'CertificateArn', webAcl: 'WebAclArn' } as const;

export interface EdgeStackProps extends StackProps {
  readonly settings: Settings;
}

/**
 * CloudFront's resources in us-east-1. Stacks of other regions read its outputs by `Fn::GetStackOutput`; CDK's cross-region
 * references would add a function and a custom resource to both.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: EdgeStackProps) {
    const { account } = settings;
    super(scope, id, { ...props, env: { region: EDGE_REGION, ...(account !== undefined && { account }) } });
    const waf = wafOf(settings);
    if (waf !== undefined) {
      const acl = new WebAcl(this, 'WebAcl', {
        scope: 'CLOUDFRONT',
        rateLimit: waf.rateLimit,
        logRetentionDays: waf.logs === true ? settings.logRetentionDays : undefined,
      });
      new CfnOutput(this, OUTPUTS.webAcl, { value: acl.arn });
    }
    const { domain } = settings;
    const attributes = domain && zoneOf(domain);
    if (attributes !== undefined && domain?.certificateArn === undefined) {
      const zone = route53.HostedZone.fromHostedZoneAttributes(this, 'Zone', attributes);
      const certificate = new acm.Certificate(this, 'Certificate', {
        domainName: domain?.name ?? '',
        validation: acm.CertificateValidation.fromDns(zone),
      });
      new CfnOutput(this, OUTPUTS.certificate, { value: certificate.certificateArn });
    }
  }

  get webAclArn(): string {
    return Fn.getStackOutput(this.stackName, OUTPUTS.webAcl, EDGE_REGION);
  }

  get certificateArn(): string {
    return Fn.getStackOutput(this.stackName, OUTPUTS.certificate, EDGE_REGION);
  }
}

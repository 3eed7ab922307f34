import { Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../functions/origin-secret/env.ts';
import { DASHBOARD_HEADERS, DASHBOARD_PATH, dashboardCacheControl, PAGE_ADDRESS_CODE } from '../dashboard-site.ts';
import { zoneOf } from '../settings/settings.ts';
import type { Domain } from '../settings/stage-settings.ts';

const ADMIN_PATHS = ['/v1/admin/*', '/v1/analytics/*', '/v1/approvals', '/v1/approvals/*'];
/** A pattern without `*` matches only that path. */
const PAGE_PATHS = ['/', DASHBOARD_PATH, `${DASHBOARD_PATH}/*`];
const ASSETS = `${DASHBOARD_PATH}/assets/*`;
/** How long CloudFront keeps idle connections to the functions. */
const KEEP_ALIVE = Duration.seconds(60);
const HSTS = Duration.days(365);

export interface DistributionProps {
  /** A URL such as `https://ID.lambda-url.REGION.on.aws/`, or an internal load balancer. */
  readonly gateway: string | elb.ApplicationLoadBalancer;
  /** A function URL. */
  readonly adminUrl: string;
  readonly originSecret: secretsmanager.Secret;
  /** Whether to serve the dashboard at `/` and below `/dashboard`; every other path goes to the API. */
  readonly hasDashboard: boolean;
  readonly domain: Domain | undefined;
  /** A certificate in us-east-1; needed with a domain. */
  readonly certificateArn: string | undefined;
  readonly webAclArn: string | undefined;
  /** An existing bucket for CloudFront's access logs; without one there are none. */
  readonly logBucket: string | undefined;
  /** Longest wait for a response's head and for each further piece. SSE keep-alives are more frequent. */
  readonly readTimeout: Duration;
}

/**
 * The CloudFront function that passes the viewer's address to the gateway. It replaces whatever the viewer sent in this header.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
export const VIEWER_ADDRESS_CODE = `function handler(event) {
  const request = event.request;
  request.headers['${VIEWER_ADDRESS_HEADER}'] = { value: event.viewer.ip };
  return request;
}
`;

/** One address for the dashboard, the admin API and the gateway. API responses are neither cached nor changed. */
export class Distribution extends Construct {
  readonly distribution: cloudfront.Distribution;
  /** `https://HOST`, without a closing slash. */
  readonly url: string;
  /** The bucket of the dashboard's files. */
  readonly files: s3.Bucket | undefined;

  constructor(scope: Construct, id: string, props: DistributionProps) {
    super(scope, id);
    const { domain, certificateArn, logBucket } = props;
    const viewerAddress = new cloudfront.Function(this, 'ViewerAddress', {
      comment: "Passes the viewer's IP address to the API.",
      code: cloudfront.FunctionCode.fromInline(VIEWER_ADDRESS_CODE),
      runtime: cloudfront.FunctionRuntime.JS_2_0,
    });
    const behavior = (place: DistributionProps['gateway']) => apiBehavior(originAt(place, props), viewerAddress);
    const [admin, gateway] = [behavior(props.adminUrl), behavior(props.gateway)];
    this.files = props.hasDashboard ? createBucket(this) : undefined;
    const page = this.files && this.pageBehaviors(this.files);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'svc: dashboard, admin API and gateway',
      // Unknown paths too: the gateway's 404 is in the client's format.
      defaultBehavior: gateway,
      additionalBehaviors: {
        // CloudFront uses the first match in this order.
        ...Object.fromEntries(ADMIN_PATHS.map((path) => [path, admin])),
        ...(page && { [ASSETS]: page.assets, ...Object.fromEntries(PAGE_PATHS.map((path) => [path, page.pages])) }),
      },
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...(domain !== undefined &&
        certificateArn !== undefined && {
          domainNames: [domain.name],
          minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
          certificate: acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
        }),
      ...(props.webAclArn !== undefined && { webAclId: props.webAclArn }),
      ...(logBucket !== undefined && {
        enableLogging: true,
        logBucket: s3.Bucket.fromBucketAttributes(this, 'LogBucket', {
          bucketName: logBucket,
          bucketRegionalDomainName: `${logBucket}.s3.amazonaws.com`,
        }),
        logFilePrefix: 'svc/',
        logIncludesCookies: false,
      }),
    });
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    if (domain !== undefined) addRecords(this, domain, this.distribution);
    this.acknowledge(props);
  }

  private pageBehaviors(bucket: s3.Bucket): Record<'pages' | 'assets', cloudfront.BehaviorOptions> {
    const origin = origins.S3BucketOrigin.withOriginAccessControl(bucket as s3.IBucket, {
      originAccessControl: new cloudfront.S3OriginAccessControl(this, 'FilesAccess', {
        originAccessControlName: regionalName(this, 'files'),
      }),
    });
    const common = {
      origin,
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      compress: true,
      functionAssociations: [
        {
          eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
          function: new cloudfront.Function(this, 'PageAddress', {
            comment: 'Names the file for each path of the dashboard.',
            code: cloudfront.FunctionCode.fromInline(PAGE_ADDRESS_CODE),
            runtime: cloudfront.FunctionRuntime.JS_2_0,
          }),
        },
      ],
    };
    return {
      pages: {
        ...common,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        responseHeadersPolicy: this.pageHeaders('PageHeaders', '/index.html'),
      },
      assets: {
        ...common,
        cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: this.pageHeaders('AssetHeaders', '/assets/name.js'),
      },
    };
  }

  /** Response headers of the dashboard's files; `name` is an example that selects the cache rule. */
  private pageHeaders(id: string, name: string): cloudfront.ResponseHeadersPolicy {
    const {
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': _,
      'referrer-policy': referrerPolicy,
      ...others
    } = DASHBOARD_HEADERS;
    return new cloudfront.ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: regionalName(this, id),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: referrerPolicy as cloudfront.HeadersReferrerPolicy, override: true },
        strictTransportSecurity: { accessControlMaxAge: HSTS, includeSubdomains: false, override: true },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries({ ...others, 'cache-control': dashboardCacheControl(name) }).map(
          ([header, value]) => ({ header, value, override: true }),
        ),
      },
    });
  }

  private acknowledge({ domain, webAclArn, logBucket }: DistributionProps): void {
    const reasons = {
      'AwsSolutions-CFR1': 'Keys and their allow-lists restrict callers, not countries.',
      ...(webAclArn === undefined && {
        'AwsSolutions-CFR2': 'Off by the setting `waf`: WAF is billed by the request.',
      }),
      ...(logBucket === undefined && {
        'AwsSolutions-CFR3': 'Off by the setting `distribution.logBucket`: the service records each request.',
      }),
      ...(domain === undefined && {
        'AwsSolutions-CFR4': "CloudFront's default certificate has a fixed policy; TLS 1.2 needs the setting `domain`.",
      }),
    };
    for (const [id, reason] of Object.entries(reasons)) Validations.of(this.distribution).acknowledge({ id, reason });
  }
}

/** CloudFront's metrics are only in us-east-1: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/programming-cloudwatch-metrics.html */
export function distributionMetric(
  { distribution }: Distribution,
  metricName: string,
  statistic: string,
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
    statistic,
    region: 'us-east-1',
  });
}

/** CloudFront's names are of the whole account: with the region, a stage can be in two. */
function regionalName(scope: Construct, name: string): string {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${region}-${name}`;
}

/** An origin that gets the origin secret. */
function originAt(
  place: DistributionProps['gateway'],
  { originSecret, readTimeout }: DistributionProps,
): cloudfront.IOrigin {
  const common = {
    readTimeout,
    keepaliveTimeout: KEEP_ALIVE,
    // CloudFormation resolves it at deployment: the template does not contain it.
    customHeaders: { [ORIGIN_SECRET_HEADER]: originSecret.secretValueFromJson('sent').unsafeUnwrap() },
  };
  if (typeof place !== 'string') {
    const { HTTP_ONLY } = cloudfront.OriginProtocolPolicy;
    const vpcOriginName = regionalName(place, 'gateway');
    return origins.VpcOrigin.withApplicationLoadBalancer(place, {
      ...common,
      protocolPolicy: HTTP_ONLY,
      vpcOriginName,
    });
  }
  const { HTTPS_ONLY } = cloudfront.OriginProtocolPolicy;
  return new origins.HttpOrigin(Fn.select(2, Fn.split('/', place)), { ...common, protocolPolicy: HTTPS_ONLY });
}

/** Forwards all of a request except `Host`, and adds the viewer's address. */
function apiBehavior(origin: cloudfront.IOrigin, viewerAddress: cloudfront.Function): cloudfront.BehaviorOptions {
  return {
    origin,
    // No redirect: a client that sends its key without TLS must notice.
    viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
    cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
    functionAssociations: [{ eventType: cloudfront.FunctionEventType.VIEWER_REQUEST, function: viewerAddress }],
    originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // Compression would buffer streams.
    compress: false,
  };
}

/** The dashboard's files. They are built from this repository, so the bucket may be deleted. */
function createBucket(scope: Construct): s3.Bucket {
  const bucket = new s3.Bucket(scope, 'Files', {
    encryption: s3.BucketEncryption.S3_MANAGED,
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Public files, read through the distribution, whose logs record requests.',
  });
  return bucket;
}

function addRecords(scope: Construct, domain: Domain, distribution: cloudfront.Distribution): void {
  const attributes = zoneOf(domain);
  if (attributes === undefined) return;
  const zone = route53.HostedZone.fromHostedZoneAttributes(scope, 'Zone', attributes);
  const target = route53.RecordTarget.fromAlias(new targets.CloudFrontTarget(distribution));
  new route53.ARecord(scope, 'Ipv4', { zone, recordName: `${domain.name}.`, target });
  new route53.AaaaRecord(scope, 'Ipv6', { zone, recordName: `${domain.name}.`, target });
}

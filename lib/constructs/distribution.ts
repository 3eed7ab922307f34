import { Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ORIGIN_SECRET_HEADER } from '../../functions/origin-secret/env.ts';
import { DASHBOARD_HEADERS, dashboardCacheControl, PAGE_ADDRESS_CODE } from '../dashboard-site.ts';
import { zoneOf } from '../settings/settings.ts';
import type { Domain } from '../settings/stage-settings.ts';

const ADMIN_PATHS = ['/v1/admin/*', '/v1/analytics/*'];
const GATEWAY_PATHS = ['/v1/*', '/v1beta/*', '/healthz', '/readyz', '/openapi.json'];
const ASSETS = '/assets/*';
/** How long CloudFront waits for the head of an answer, and for each further piece. An SSE stream is kept alive more often. */
const READ_TIMEOUT = Duration.seconds(60);
const HSTS = Duration.days(365);

export interface DistributionProps {
  /** Addresses of functions: `https://ID.lambda-url.REGION.on.aws/` */
  readonly gatewayUrl: string;
  readonly adminUrl: string;
  readonly originSecret: secretsmanager.Secret;
  /** Whether there is a dashboard to serve; every address is the API's where not. */
  readonly hasDashboard: boolean;
  readonly domain: Domain | undefined;
  /** Of us-east-1, where there is a domain. */
  readonly certificateArn: string | undefined;
  readonly webAclArn: string | undefined;
  /** An existing bucket that CloudFront may write its logs into; none are kept where absent. */
  readonly logBucket: string | undefined;
}

/** One address for the dashboard, the admin API and the gateway. Of the API nothing is cached and nothing changed. */
export class Distribution extends Construct {
  readonly distribution: cloudfront.Distribution;
  /** `https://HOST`, without a closing slash. */
  readonly url: string;
  /** Where the dashboard's files are to be put. */
  readonly files: s3.Bucket | undefined;

  constructor(scope: Construct, id: string, props: DistributionProps) {
    super(scope, id);
    const { domain, certificateArn, logBucket } = props;
    const behavior = (url: string) => apiBehavior(url, props.originSecret);
    const [admin, gateway] = [behavior(props.adminUrl), behavior(props.gatewayUrl)];
    this.files = props.hasDashboard ? createBucket(this) : undefined;
    const page = this.files && this.pageBehaviors(this.files);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'svc: dashboard, admin API and gateway',
      defaultBehavior: page?.pages ?? gateway,
      additionalBehaviors: {
        // CloudFront takes the first that fits, in this order.
        ...Object.fromEntries(ADMIN_PATHS.map((path) => [path, admin])),
        ...(page && { ...Object.fromEntries(GATEWAY_PATHS.map((path) => [path, gateway])), [ASSETS]: page.assets }),
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
    const origin = origins.S3BucketOrigin.withOriginAccessControl(bucket as s3.IBucket);
    const common = { origin, viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS, compress: true };
    return {
      pages: {
        ...common,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        responseHeadersPolicy: this.pageHeaders('PageHeaders', '/index.html'),
        functionAssociations: [
          {
            eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
            function: new cloudfront.Function(this, 'PageAddress', {
              comment: 'Every address of the dashboard is its one page.',
              code: cloudfront.FunctionCode.fromInline(PAGE_ADDRESS_CODE),
              runtime: cloudfront.FunctionRuntime.JS_2_0,
            }),
          },
        ],
      },
      assets: {
        ...common,
        cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: this.pageHeaders('AssetHeaders', ASSETS),
      },
    };
  }

  /** What every file is answered with; `path` is one of those that it is for. */
  private pageHeaders(id: string, path: string): cloudfront.ResponseHeadersPolicy {
    const {
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': _,
      'referrer-policy': referrerPolicy,
      ...others
    } = DASHBOARD_HEADERS;
    return new cloudfront.ResponseHeadersPolicy(this, id, {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: referrerPolicy as cloudfront.HeadersReferrerPolicy, override: true },
        strictTransportSecurity: { accessControlMaxAge: HSTS, includeSubdomains: false, override: true },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries({ ...others, 'cache-control': dashboardCacheControl(path) }).map(
          ([header, value]) => ({ header, value, override: true }),
        ),
      },
    });
  }

  private acknowledge({ domain, webAclArn, logBucket }: DistributionProps): void {
    const reasons = {
      'AwsSolutions-CFR1': 'Who may call is said by keys and their allow-lists, not by country.',
      ...(webAclArn === undefined && {
        'AwsSolutions-CFR2': 'Off by the setting `waf`: it is paid for by the request.',
      }),
      ...(logBucket === undefined && {
        'AwsSolutions-CFR3': 'Off by the setting `distribution.logBucket`: each request has a record of our own.',
      }),
      ...(domain === undefined && {
        'AwsSolutions-CFR4':
          "CloudFront's own certificate comes with its own policy; one of TLS 1.2 needs the setting `domain`.",
      }),
    };
    for (const [id, reason] of Object.entries(reasons)) Validations.of(this.distribution).acknowledge({ id, reason });
  }
}

/** A function's URL behind the distribution: all of a request but its Host, and our secret. */
function apiBehavior(url: string, secret: secretsmanager.Secret): cloudfront.BehaviorOptions {
  return {
    origin: new origins.HttpOrigin(Fn.select(2, Fn.split('/', url)), {
      protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
      readTimeout: READ_TIMEOUT,
      keepaliveTimeout: READ_TIMEOUT,
      // CloudFormation reads it when it deploys: it stands in no template.
      customHeaders: { [ORIGIN_SECRET_HEADER]: secret.secretValueFromJson('sent').unsafeUnwrap() },
    }),
    // A key that comes without TLS is not led on to where it comes with it: nobody would notice.
    viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
    cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
    // It brings CloudFront's own headers too, the viewer's address among them.
    originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // Compressed, the pieces of a stream would wait for each other.
    compress: false,
  };
}

/** The dashboard's files: built from this repository, so that nothing is lost with them. */
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
    reason: 'Files that everybody may read through the distribution; who asks for them is told by its logs.',
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

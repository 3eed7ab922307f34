import { isIpAddress } from './ip-range.ts';

/** 1 to 65535, as a number is written. */
const PORT = /^[1-9]\d{0,4}$/;

/**
 * The address in CloudFront's header `CloudFront-Viewer-Address`: IPv4 and a port (`203.0.113.7:46532`), or IPv6 and a port
 * without brackets (`2001:db8::1:46532`) or with them. undefined for anything else.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html#cloudfront-headers-other
 */
export function readViewerAddress(text: string): string | undefined {
  const colon = text.lastIndexOf(':');
  const port = text.slice(colon + 1);
  if (colon < 0 || !PORT.test(port) || Number(port) > 65_535) return undefined;
  const host = text.slice(0, colon);
  const isBracketed = host.startsWith('[') && host.endsWith(']');
  const address = isBracketed ? host.slice(1, -1) : host;
  if (isBracketed && !address.includes(':')) return undefined;
  return isIpAddress(address) ? address : undefined;
}

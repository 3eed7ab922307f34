/**
 * What CloudFront runs before it asks for a file of the dashboard: every address but a file's means the one page, as
 * lib/dashboard-headers.ts says (lib/constructs/page-address.test.ts compares the two). Only addresses of the page come here,
 * none of the API: its 404 stays what it is.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export const PAGE_ADDRESS_CODE = `function handler(event) {
  const request = event.request;
  const path = request.uri;
  const isAtRoot = path.lastIndexOf('/') === 0;
  const isFile = path.startsWith('/assets/') || (isAtRoot && path.includes('.'));
  if (!isFile) request.uri = '/index.html';
  return request;
}
`;

import { Match } from 'aws-cdk-lib/assertions';

/** How a mapping names the alias of a function that it invokes. */
export function aliasOf(name: string): object {
  const arn = { Ref: Match.stringLikeRegexp(`^${name}FunctionAliaslive`) };
  return { 'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', arn] }] }, ':live']] };
}

import { Match } from 'aws-cdk-lib/assertions';

/** How a mapping names the alias of a function that it invokes. */
export function aliasOf(name: string): object {
  const arn = { Ref: Match.stringLikeRegexp(`^${name}FunctionAliaslive`) };
  return { 'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', arn] }] }, ':live']] };
}

/** How a template reads an output of another stack, by a pattern of the output's name. */
export function outputOf(pattern: string): object {
  return { 'Fn::GetStackOutput': Match.objectLike({ OutputName: Match.stringLikeRegexp(pattern) }) };
}

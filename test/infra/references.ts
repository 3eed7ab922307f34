import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from './lint-templates.ts';

/** How a mapping names the alias of a function that it invokes. */
export function aliasOf(name: string): object {
  const arn = { Ref: Match.stringLikeRegexp(`^${name}FunctionAliaslive`) };
  return { 'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', arn] }] }, ':live']] };
}

/** How a template reads an output of another stack, by a pattern of the output's name. */
export function outputOf(pattern: string): object {
  return { 'Fn::GetStackOutput': Match.objectLike({ OutputName: Match.stringLikeRegexp(pattern) }) };
}

/** The properties of the function whose id begins with the name. */
export function functionOf(template: Template, name: string): Record<string, unknown> {
  const found = Object.entries(template.Resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith(name),
  );
  return { ...found?.[1].Properties };
}

/** The variables of a function. */
export function environmentOf(template: Template, name: string): Record<string, unknown> {
  return (functionOf(template, name).Environment as { Variables: Record<string, unknown> }).Variables;
}

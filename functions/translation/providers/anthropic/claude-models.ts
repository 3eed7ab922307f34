/**
 * The version in the name of a Claude model as one number, 4.06 for 4.6: before the family's name (`claude-3-7-sonnet-20250219`) or after it
 * (`claude-opus-4-6`, `claude-instant-v1`). A date is not a version; a name without a version is a new model.
 */
export function claudeVersion(model: string): number {
  const version = /-v?(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(model);
  return version === null ? Infinity : Number(version[1]) + Number(version[2] ?? 0) / 100;
}

/** Whether a model takes an effort and adaptive thinking: from 4.6 on. */
export function takesEffort(model: string): boolean {
  return claudeVersion(model) >= 4.06;
}

/** Whether a model takes `temperature`, `top_p` and `top_k`: before 4.7. Newer ones refuse them. */
export function takesSampling(model: string): boolean {
  return claudeVersion(model) < 4.07;
}

/** Whether a model takes only one of `temperature` and `top_p`: from 4.1 on. */
export function takesOneOfSampling(model: string): boolean {
  return claudeVersion(model) >= 4.01;
}

/** Whether a model takes a JSON schema for its response: from 4.5 on. */
export function takesSchema(model: string): boolean {
  return claudeVersion(model) >= 4.05;
}

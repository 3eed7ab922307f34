import type { CallValue } from './call-values.ts';
import type { Conversation } from './conversation.ts';

/** The hosts of a call's addresses, without their subdomains. */
export function hostsOf(values: readonly Pick<CallValue, 'kind' | 'forms'>[]): string[] {
  return values.flatMap((value) => hostOf(value) ?? []);
}

function hostOf({ kind, forms }: Pick<CallValue, 'kind' | 'forms'>): string | undefined {
  const address = forms.at(-1) as string;
  const host = kind === 'email' ? address.split('@')[1] : kind === 'url' ? address.split(/[/?#:]/, 1)[0] : undefined;
  const labels = host?.split('.') ?? [];
  if (labels.length < 2) return undefined;
  // `co.uk` is not a host.
  const hasShortSuffix = labels.length > 2 && (labels.at(-2) as string).length < 4;
  return labels.slice(hasShortSuffix ? -3 : -2).join('.');
}

/** Whether the user, an earlier call or a field has the host: an attacker's is new, those of a page's own people are not. */
export function isKnownHost(conversation: Conversation, host: string): boolean {
  if (conversation.trusted.includes(host) || conversation.has('fields', host)) return true;
  return conversation.calls.some(({ folded }) => folded.includes(host));
}

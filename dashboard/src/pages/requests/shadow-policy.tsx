import type { RequestDetail } from '../../api/client.ts';
import { ACTION_NAMES, ruleName } from '../../components/labels.ts';

/** What the shadow policy would have done with a request, and with each of its tool calls. */
export function ShadowPolicy({ shadow }: { readonly shadow: NonNullable<RequestDetail['shadow']> }) {
  const { action, calls = [] } = shadow;
  return (
    <>
      {ACTION_NAMES[action]}
      {calls.map((call, at) => (
        <div key={at}>
          {ACTION_NAMES[call.action]}: {ruleName(call)} at <code>{call.field}</code>
        </div>
      ))}
    </>
  );
}

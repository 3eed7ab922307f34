import { Link } from 'wouter';
import type { RequestDetail } from '../../api/client.ts';
import { useMay } from '../../api/session.tsx';
import classes from '../../components/components.module.css';
import { ActionTag } from '../../components/tag.tsx';
import { FindingLink } from '../threats/finding-parts.tsx';
import { type CallFinding, findingsOn, sourcesOf, type ToolCall } from './call-flow.ts';
import own from './tool-calls.module.css';

/** The tool calls of a response, each with lines from the sources of values to its arguments. */
export function ToolCalls({ record }: { readonly record: RequestDetail }) {
  return (
    <div className={own.calls}>
      {record.toolCalls?.map((call, at) => (
        <Call key={at} call={call} findings={findingsOn(call, record.findings)} />
      ))}
    </div>
  );
}

const RELEASED = { user: "Released by the user's code", operator: 'Released by an operator' } as const;

interface CallProps {
  readonly call: ToolCall;
  readonly findings: readonly CallFinding[];
}

function Call({ call, findings }: CallProps) {
  const named = new Set(call.arguments.map(({ argument }) => argument));
  const onArgument = (argument: string) => findings.filter(({ origin }) => origin?.argument === argument);
  const others = findings.filter(({ origin }) => !named.has(origin?.argument ?? ''));
  return (
    <div>
      <h3 className={own.call}>
        <code>{call.tool}</code>
        <span className={own.effect}>Effect: {call.effect}</span>
        <ActionTag action={call.action} />
        <ApprovalOf call={call} />
        <FindingLinks findings={others} />
      </h3>
      {call.arguments.length === 0 ? (
        <p className={classes.hint}>{whyNone(call)}</p>
      ) : (
        <table className={own.flow} aria-label={`Sources of the arguments of ${call.tool}`}>
          <thead>
            <tr>
              <th scope="col">Source of the value</th>
              <th scope="col">Argument</th>
            </tr>
          </thead>
          {sourcesOf(call).map(({ from, text, arguments: all }) => (
            <tbody key={text} data-from={from}>
              {all.map((argument, at) => (
                <tr key={argument}>
                  {at === 0 ? (
                    <td rowSpan={all.length} className={own.source}>
                      {text}
                    </td>
                  ) : null}
                  <td>
                    <span className={own.argument}>
                      <code>{argument}</code>
                      <FindingLinks findings={onArgument(argument)} />
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </div>
  );
}

function whyNone({ effect, approval }: ToolCall): string {
  if (approval?.releasedBy === 'user') return 'The call was compared before it was asked about: see its approval.';
  if (effect === 'read') return 'Arguments of calls that only read are not compared with the conversation.';
  return 'No argument has a value to look for in the conversation.';
}

/** The approval that a call waits for, or that released it. */
export function ApprovalOf({ call: { approval } }: { readonly call: Pick<ToolCall, 'approval'> }) {
  const mayDecide = useMay('listApprovals');
  if (approval === undefined) return null;
  const { id, releasedBy } = approval;
  const text = releasedBy === undefined ? 'Approval' : RELEASED[releasedBy];
  return (
    <span className={own.finding}>
      {mayDecide ? <Link href={`/approvals/${encodeURIComponent(id)}`}>{text}</Link> : text}
    </span>
  );
}

function FindingLinks({ findings }: { readonly findings: readonly CallFinding[] }) {
  return findings.map((finding) => (
    <span key={finding.id} className={own.finding}>
      <FindingLink threat={finding} />
      {finding.origin?.ordered ? ': third-party text orders the call' : null}
    </span>
  ));
}

import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ResponseOf } from '../../../../functions/contract/index.ts';
import { ApiError, toSearch } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { reading, useKeyNames } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import classes from '../../components/components.module.css';
import { BackLink } from '../../components/data-table.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { formatFullTime, NOTHING } from '../../components/format.ts';
import { ErrorState, Facts, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { sourceText } from '../requests/call-flow.ts';
import { ApprovalState, argumentsOf } from './approval-parts.tsx';

type Approval = ResponseOf<'getApproval'>;
type Decision = 'approve' | 'deny';

/** A tool call that waits, with its arguments, and the decision on it. */
export default function ApprovalPage({ id }: { readonly id: string }) {
  // Each read of the arguments is in the audit log.
  const approval = useQuery({ ...reading('getApproval', { params: { id } }), staleTime: Number.POSITIVE_INFINITY });
  const [deciding, setDeciding] = useState<Decision>();
  const { data } = approval;
  return (
    <Page
      docs="policies.md#ask-before-a-call"
      title="Approval"
      intro={
        <>
          <code>{id}</code> · <BackLink list="/approvals">All approvals</BackLink>
        </>
      }
      actions={data?.state === 'pending' ? <Buttons approval={data} onPick={setDeciding} /> : null}
    >
      {data === undefined ? (
        approval.error === null ? (
          <Placeholder label="Loading the approval" lines={8} />
        ) : (
          <ErrorState error={approval.error} retry={() => void approval.refetch()} />
        )
      ) : (
        <Content approval={data} />
      )}
      {data === undefined || deciding === undefined ? null : (
        <DecideDialog approval={data} decision={deciding} onClose={() => setDeciding(undefined)} />
      )}
    </Page>
  );
}

interface ButtonsProps {
  readonly approval: Approval;
  onPick(decision: Decision): void;
}

function Buttons({ approval, onPick }: ButtonsProps) {
  const isOwn = useSession().session?.keyId === approval.keyId;
  return (
    <>
      {isOwn ? <span className={classes.hint}>A key cannot decide on its own tool calls.</span> : null}
      <Button disabled={isOwn} onClick={() => onPick('approve')}>
        Approve
      </Button>
      <Button variant="default" disabled={isOwn} onClick={() => onPick('deny')}>
        Deny
      </Button>
    </>
  );
}

function Content({ approval }: { readonly approval: Approval }) {
  return (
    <>
      <Panel title="Call" note="The audit log records who reads the arguments.">
        {approval.call === null ? (
          <p className={classes.hint}>The arguments are not shown after the approval has expired.</p>
        ) : (
          <CopyField
            text={approval.call.arguments}
            shown={visibleText(approval.call.arguments)}
            label={`Arguments of ${visibleText(approval.call.name)}`}
          />
        )}
      </Panel>
      <Panel title="Details">
        <Details approval={approval} />
      </Panel>
    </>
  );
}

function Details({ approval }: { readonly approval: Approval }) {
  const { tool, argument, keyId, sessionId, endUserId, requestId, decidedBy } = approval;
  const keyNames = useKeyNames(decidedBy === null ? [keyId] : [keyId, decidedBy]);
  const session = sessionId === null ? NOTHING : `/sessions/${encodeURIComponent(sessionId)}${toSearch({ keyId })}`;
  return (
    <Facts
      facts={[
        ['State', <ApprovalState key="state" state={approval.state} />],
        ['Tool', <code key="tool">{tool}</code>],
        ['Doubtful argument', argument === null ? 'The call as a whole' : <code key="argument">{argument}</code>],
        ['Why', approval.reason ?? NOTHING],
        ['Rule of the policy', approval.policyRule ?? NOTHING],
        ['Where its value is', <Sources key="sources" approval={approval} />],
        ...(approval.ordered === true ? [['Third-party text orders such a call', 'Yes'] as const] : []),
        ['Key', keyNames.get(keyId) ?? keyId],
        ['End user', endUserId ?? NOTHING],
        [
          'Session',
          sessionId === null ? (
            NOTHING
          ) : (
            <Link key="session" href={session}>
              {sessionId}
            </Link>
          ),
        ],
        ['Environment', approval.environment],
        [
          'Request',
          <Link key="request" href={`/requests/${encodeURIComponent(requestId)}`}>
            {requestId}
          </Link>,
        ],
        ['Asked', formatFullTime(approval.createdAt)],
        ['Expires', formatFullTime(approval.expiresAt)],
        ['Decided', formatFullTime(approval.decidedAt)],
        ['Decided by', decidedBy === null ? NOTHING : (keyNames.get(decidedBy) ?? decidedBy)],
      ]}
    />
  );
}

function Sources({ approval: { sources, user } }: { readonly approval: Approval }) {
  if (user === true) return 'The user wrote it';
  if (sources.length === 0) return user === undefined ? 'Not known' : 'In no text of the conversation';
  const texts = sources.map(({ as, message, tool, field }) =>
    sourceText({ argument: '', from: as, message, tool, field }),
  );
  return (
    <ul className={classes.plainList}>
      {[...new Set(texts)].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

interface DecideDialogProps {
  readonly approval: Approval;
  readonly decision: Decision;
  onClose(): void;
}

/** The arguments of a call, as its person decides on them. */
function Arguments({ approval: { call: asked, keyId } }: { readonly approval: Approval }) {
  const keyNames = useKeyNames([keyId]);
  const args = argumentsOf(asked?.arguments ?? '');
  return (
    <ul className={classes.plainList}>
      <li>Key: {keyNames.get(keyId) ?? keyId}</li>
      {args.map(([name, value]) => (
        <li key={name} className={classes.anyBreak}>
          {name}: <code>{value}</code>
        </li>
      ))}
    </ul>
  );
}

function DecideDialog({ approval, decision, onClose }: DecideDialogProps) {
  const { id, tool } = approval;
  const client = useQueryClient();
  const approves = decision === 'approve';
  const deciding = useMutation({
    mutationFn: () => call('decideApproval', { params: { id }, body: { decision } }),
    onSuccess: (decided) => {
      client.setQueryData<Approval>([pathTo('getApproval', { id })], (detail) => detail && { ...detail, ...decided });
      void client.invalidateQueries({ queryKey: [pathTo('listApprovals')] });
      onClose();
    },
    onError: (error) => {
      // It was decided in between, or has expired.
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: [pathTo('getApproval', { id })] });
    },
  });
  return (
    <ConfirmDialog
      title={approves ? 'Approve the call' : 'Deny the call'}
      confirm={approves ? 'Approve' : 'Deny'}
      danger={!approves}
      isPending={deciding.isPending}
      error={deciding.error}
      onConfirm={() => deciding.mutate()}
      onClose={onClose}
    >
      {approves ? (
        <p>
          The call of <code>{tool}</code> passes once, when the model makes it again in the same session.
        </p>
      ) : (
        <p>
          The call of <code>{tool}</code> is refused until the approval expires, without asking again. This cannot be
          undone.
        </p>
      )}
      <Arguments approval={approval} />
    </ConfirmDialog>
  );
}

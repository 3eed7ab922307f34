import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import shared from '../../components/components.module.css';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { formatExact } from '../../components/format.ts';
import { threatName } from '../../components/labels.ts';
import { Empty, ErrorState, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { StateTag } from '../../components/tag.tsx';
import { useChange } from '../providers/use-change.ts';
import { Definition } from './definition.tsx';
import classes from './mcp.module.css';
import type { Tool } from './server-form.ts';
import { TestDialog } from './test-dialog.tsx';

const needsApproval = ({ state }: Tool) => state === 'new' || state === 'changed';

/** The tools of a server as it lists them now, and what is decided about them. */
export function ToolPanel({ server }: { readonly server: string }) {
  const query = useQuery({
    ...reading('listMcpTools', { params: { name: server } }),
    // Each read asks the server, and is what an administrator has seen.
    refetchOnWindowFocus: false,
    retry: false,
  });
  const [approved, setApproved] = useState<readonly Tool[]>();
  const [tested, setTested] = useState<Tool>();
  const [withdrawn, setWithdrawn] = useState<Tool>();
  const tools = query.data?.data ?? [];
  const open = tools.filter(needsApproval);
  return (
    <Panel
      title="Tools"
      note="As the server lists them now. Agents see and call a tool once its definition is approved."
      actions={
        <Group gap="xs">
          <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
            Read again
          </Button>
          {open.length > 1 ? (
            <Button size="compact-sm" onClick={() => setApproved(open)}>
              Approve all {formatExact(open.length)}
            </Button>
          ) : null}
        </Group>
      }
    >
      {query.data?.unavailable.map(({ kind, message }) => (
        <Alert key={kind} color="yellow">{`No ${kind}s are shown: ${message}`}</Alert>
      ))}
      {query.error !== null ? (
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Placeholder label="Asking the server for its tools" lines={6} />
      ) : tools.length === 0 ? (
        <Empty title="The server lists no tools" />
      ) : (
        <ul className={shared.plainList} aria-label="Tools">
          {tools.map((tool) => (
            <li key={tool.tool}>
              <ToolItem
                tool={tool}
                onApprove={() => setApproved([tool])}
                onTest={() => setTested(tool)}
                onWithdraw={() => setWithdrawn(tool)}
              />
            </li>
          ))}
        </ul>
      )}
      {approved === undefined ? null : (
        <ApproveDialog server={server} tools={approved} onClose={() => setApproved(undefined)} />
      )}
      {tested === undefined ? null : <TestDialog tool={tested} onClose={() => setTested(undefined)} />}
      {withdrawn === undefined ? null : (
        <WithdrawDialog server={server} tool={withdrawn} onClose={() => setWithdrawn(undefined)} />
      )}
    </Panel>
  );
}

interface ItemProps {
  readonly tool: Tool;
  onApprove(): void;
  onTest(): void;
  onWithdraw(): void;
}

/** A tool that waits for a decision shows its definition; others on request. */
function ToolItem({ tool, onApprove, onTest, onWithdraw }: ItemProps) {
  const { tool: name, kind, state, isServed, findings } = tool;
  return (
    <section className={classes.tool} aria-label={name}>
      <div className={classes.toolHead}>
        <h3>{name}</h3>
        <StateTag state={state} isFault={state === 'changed' || state === 'removed'} />
        {isServed === (state === 'approved') ? null : <StateTag state={isServed ? 'served' : 'withheld'} />}
        <span className={classes.toolActions}>
          {needsApproval(tool) ? (
            <Button size="compact-sm" onClick={onApprove} aria-label={`Approve ${name}`}>
              Approve
            </Button>
          ) : null}
          {isServed && kind === 'tool' ? (
            <Button size="compact-sm" variant="default" onClick={onTest} aria-label={`Test ${name}`}>
              Test
            </Button>
          ) : null}
          {tool.approvedDigest === null ? null : (
            <Button size="compact-sm" variant="default" onClick={onWithdraw} aria-label={`Withdraw ${name}`}>
              Withdraw
            </Button>
          )}
        </span>
      </div>
      {findings.length === 0 ? null : <Findings findings={findings} />}
      {state === 'removed' ? (
        <p className={shared.hint}>
          The server no longer lists this tool. Its approval holds if it comes back unchanged.
        </p>
      ) : (
        <details open={needsApproval(tool)}>
          <summary>Definition</summary>
          <Definition tool={tool} />
        </details>
      )}
    </section>
  );
}

function Findings({ findings }: Pick<Tool, 'findings'>) {
  return (
    <ul className={classes.findings} aria-label="Findings">
      {findings.map(({ type, rule, message, field, start }) => (
        <li key={`${rule} ${field} ${start}`}>
          <strong>{threatName(type)}</strong> {message}{' '}
          <code>{field.replace(/^definition\.?/, '') || 'all of it'}</code> <code>{rule}</code>
        </li>
      ))}
    </ul>
  );
}

interface ApproveProps {
  readonly server: string;
  readonly tools: readonly Tool[];
  onClose(): void;
}

/** Approves exactly the definitions that are shown: for another one the API reports a conflict. */
function ApproveDialog({ server, tools, onClose }: ApproveProps) {
  const queries = useQueryClient();
  const approving = useMutation({
    mutationFn: async () => {
      for (const { tool, digest } of tools) {
        await call('approveMcpTool', {
          params: { name: server, tool },
          body: { ...(digest !== null && { digest }) },
        });
      }
    },
    // Some may be approved when one fails.
    onSettled: () => queries.invalidateQueries(),
    onSuccess: onClose,
  });
  const found = tools.filter(({ findings }) => findings.length > 0);
  return (
    <ConfirmDialog
      title={tools.length === 1 ? `Approve ${tools[0]?.tool}` : `Approve ${formatExact(tools.length)} tools`}
      confirm="Approve"
      isPending={approving.isPending}
      error={approving.error}
      onConfirm={() => approving.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p>
          Within 10 seconds agents see {tools.length === 1 ? 'this definition' : 'these definitions'} as shown on this
          page, and may call {tools.length === 1 ? 'the tool' : 'the tools'}. Models obey what a definition says.
        </p>
        {tools.length === 1 ? null : (
          <ul>
            {tools.map(({ tool, state }) => (
              <li key={tool}>
                {tool}, {state}
              </li>
            ))}
          </ul>
        )}
        {found.length === 0 ? null : (
          <p role="alert">
            <strong>With findings:</strong> {found.map(({ tool }) => tool).join(', ')}. Read them before you approve.
          </p>
        )}
      </Stack>
    </ConfirmDialog>
  );
}

function WithdrawDialog({
  server,
  tool: { tool },
  onClose,
}: {
  readonly server: string;
  readonly tool: Tool;
  onClose(): void;
}) {
  const withdrawing = useChange(() => call('withdrawMcpTool', { params: { name: server, tool } }), onClose);
  return (
    <ConfirmDialog
      title={`Withdraw the approval of ${tool}`}
      confirm="Withdraw approval"
      danger
      isPending={withdrawing.isPending}
      error={withdrawing.error}
      onConfirm={() => withdrawing.mutate()}
      onClose={onClose}
    >
      Within 10 seconds agents neither see nor call it.
    </ConfirmDialog>
  );
}

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { reading, useKeyNames } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import shared from '../../components/components.module.css';
import { BackLink } from '../../components/data-table.tsx';
import { FilterBar, RangeFields } from '../../components/filters.tsx';
import { formatCount, formatExact, formatFullTime, formatShare, formatTime, NOTHING } from '../../components/format.ts';
import { capitalised } from '../../components/labels.ts';
import { Empty, ErrorState, Facts, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { StateTag } from '../../components/tag.tsx';
import { type Range, readRange, timesOf, useUrlState } from '../../components/url-state.ts';
import { PinDialog } from './pin-dialog.tsx';
import { canBeNamed, draftRule } from './rule-draft.ts';
import { Limits, type Proposal, ProposalList, useOpenInPolicy, useSuggestion } from './suggestion-dialog.tsx';
import { AuthorShares, callsText, SampleNote, type Tool } from './tool-parts.tsx';
import classes from './tools.module.css';

/** One tool: where the values of its arguments come from, its keys and pins, and what waits. */
export default function ToolPage({ name }: { readonly name: string }) {
  const [read, write] = useUrlState();
  const range = readRange(read);
  const chosen = JSON.stringify(range);
  const times = useMemo(() => timesOf(JSON.parse(chosen) as Range, Date.now()), [chosen]);
  const found = useQuery(reading('listTools', { query: { tool: name, ...times } }));
  const { data, error } = found;
  const [tool] = data?.data ?? [];
  return (
    <Page docs="dashboard.md#tools" title={`Tool ${name}`} intro={<BackLink list="/tools">All tools</BackLink>}>
      <FilterBar label="Time range">
        <RangeFields range={range} label="Called in" onChange={write} />
      </FilterBar>
      {data === undefined ? (
        error === null ? (
          <Placeholder label="Loading the tool" lines={10} />
        ) : (
          <ErrorState error={error} retry={() => void found.refetch()} />
        )
      ) : (
        <>
          <SampleNote requests={data.isCut ? data.requests : null} />
          {tool === undefined ? (
            <Empty title="No agent called this tool in this time range" />
          ) : (
            <Content tool={tool} />
          )}
        </>
      )}
    </Page>
  );
}

function Content({ tool }: { readonly tool: Tool }) {
  const isAdmin = useMay('putPolicy');
  const suggestion = useSuggestion(isAdmin);
  const proposals = (suggestion.data?.proposals ?? []).filter((one) => one.tool === tool.tool);
  return (
    <>
      <Figures tool={tool} />
      <Panel
        title="Where argument values come from"
        note="Of calls that do more than read. A call with several values of an argument counts by the least trusted one."
      >
        <Arguments tool={tool} canEdit={isAdmin} />
      </Panel>
      {isAdmin ? <Proposals suggestion={suggestion} proposals={proposals} /> : null}
      <Panel title="Keys and pinned definitions">
        <Keys tool={tool} />
      </Panel>
      {useMay('listApprovals') ? <Waiting tool={tool.tool} /> : null}
    </>
  );
}

function Figures({ tool }: { readonly tool: Tool }) {
  const { effect, calls, fromProse, flagged, asked, blocked, waiting, keys, firstAt, lastAt } = tool;
  return (
    <>
      <Tiles
        tiles={[
          { name: 'Calls', value: formatCount(calls) },
          { name: 'With a value from prose', value: formatShare(fromProse, calls), note: callsText(fromProse) },
          { name: 'Flagged', value: formatCount(flagged) },
          { name: 'Asked', value: formatCount(asked) },
          { name: 'Blocked', value: formatCount(blocked) },
          { name: 'Waiting now', value: formatCount(waiting) },
        ]}
      />
      <Panel title="Details">
        <Facts
          facts={[
            ['Effect', capitalised(effect)],
            ['Keys', formatExact(keys)],
            ['First call', formatFullTime(firstAt)],
            ['Last call', formatFullTime(lastAt)],
          ]}
        />
      </Panel>
    </>
  );
}

interface ArgumentsProps {
  readonly tool: Tool;
  readonly canEdit: boolean;
}

const WHO = 'Who wrote its value';
const WHERE = 'Places in third-party text';

function Arguments({ tool, canEdit }: ArgumentsProps) {
  const open = useOpenInPolicy();
  if (tool.arguments.length === 0) {
    return (
      <p className={shared.hint}>
        {tool.effect === 'read'
          ? 'Arguments of calls that only read are not compared with the conversation.'
          : 'No argument had a value to look for in the conversation.'}
      </p>
    );
  }
  const table = (
    <table className={classes.table} aria-label="Arguments">
      <thead>
        <tr>
          <th scope="col">Argument</th>
          <th scope="col">{WHO}</th>
          <th scope="col">{WHERE}</th>
          {canEdit ? <th scope="col">Rule</th> : null}
        </tr>
      </thead>
      <tbody>
        {tool.arguments.map((argument) => (
          <tr key={argument.argument}>
            <td>
              <code>{argument.argument}</code> <span className={classes.small}>{callsText(argument.calls)}</span>
            </td>
            <td data-label={WHO}>
              <AuthorShares from={argument.from} />
            </td>
            <td data-label={WHERE}>
              <Places sources={argument.sources} />
            </td>
            {canEdit ? (
              <td>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Make a rule for ${argument.argument}`}
                  disabled={!canBeNamed(tool.tool, argument.argument)}
                  onClick={() => open([draftRule(tool.tool, argument)])}
                >
                  Make a rule
                </Button>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {table}
      {canEdit ? (
        <p className={shared.hint}>
          A rule allows values of the user, of the operator, and of fields whose tool is trusted in the policy, if such
          a call was allowed. Outsiders may write other fields, such as a sender.
        </p>
      ) : null}
    </>
  );
}

function Places({ sources }: { readonly sources: Tool['arguments'][number]['sources'] }) {
  if (sources.length === 0) return NOTHING;
  return (
    <ul className={shared.plainList}>
      {sources.map(({ tool, field, as, calls, source, isOnlyFlagged }) => (
        <li key={`${as} ${tool} ${field}`}>
          {as === 'field' ? 'Field' : 'Text'} {field === '' ? '' : <code>{field}</code>} of{' '}
          {tool === null ? 'a document' : <code>{tool}</code>}{' '}
          <span className={classes.small}>
            {[source, callsText(calls), isOnlyFlagged && 'none allowed'].filter(Boolean).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ProposalsProps {
  readonly suggestion: ReturnType<typeof useSuggestion>;
  readonly proposals: readonly Proposal[];
}

function Proposals({ suggestion: { data, error, refetch }, proposals }: ProposalsProps) {
  const open = useOpenInPolicy();
  return (
    <Panel
      title="Suggested rules"
      note="What the calls of the last 7 days suggest. All flag only."
      actions={
        proposals.length === 0 ? null : (
          <Button variant="default" onClick={() => open(proposals.map(({ adds }) => adds))}>
            Open in the policy
          </Button>
        )
      }
    >
      {data === undefined ? (
        error === null ? (
          <Placeholder label="Loading the suggestion" lines={2} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : proposals.length === 0 ? (
        <p className={shared.hint}>
          None: fewer than {data.minCalls} calls, values from other places, or the policy has such rules.
        </p>
      ) : (
        <>
          <ProposalList proposals={proposals} />
          <Limits sentences={data.unknown} />
        </>
      )}
    </Panel>
  );
}

function Keys({ tool: { tool, keys, keyIds, pins } }: { readonly tool: Tool }) {
  const names = useKeyNames(keyIds);
  const isAdmin = useMay('approveKeyTool');
  const [shown, setShown] = useState<string>();
  return (
    <>
      <ul className={shared.plainList}>
        {keyIds.map((id) => {
          const pin = pins.find(({ keyId }) => keyId === id);
          const name = names.get(id) ?? id;
          return (
            <li key={id}>
              {isAdmin ? <Link href={`/keys/${encodeURIComponent(id)}`}>{name}</Link> : name}{' '}
              {pin === undefined ? (
                <span className={classes.small}>not pinned</span>
              ) : (
                <StateTag state={pin.isChanged ? 'changed' : 'pinned'} isFault={pin.isChanged} />
              )}{' '}
              {isAdmin && pin?.isChanged ? (
                <Button size="compact-xs" variant="default" onClick={() => setShown(id)}>
                  Show the change
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      {keys > keyIds.length ? <p className={shared.hint}>And {formatExact(keys - keyIds.length)} more keys.</p> : null}
      {shown === undefined ? null : (
        <PinDialog keyId={shown} keyName={names.get(shown) ?? shown} tool={tool} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

/** The newest calls of the tool that wait. */
function Waiting({ tool }: { readonly tool: string }) {
  const query = { state: 'pending', limit: 100 };
  const { data, error, refetch } = useQuery(reading('listApprovals', { query }));
  const waiting = (data?.data ?? []).filter((approval) => approval.tool === tool);
  return (
    <Panel title="Approvals waiting">
      {data === undefined ? (
        error === null ? (
          <Placeholder label="Loading approvals" lines={2} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : waiting.length === 0 ? (
        <p className={shared.hint}>No call of this tool waits.</p>
      ) : (
        <ul className={shared.plainList}>
          {waiting.map(({ id, argument, createdAt, expiresAt }) => (
            <li key={id}>
              <Link href={`/approvals/${encodeURIComponent(id)}`}>{argument ?? 'The call as a whole'}</Link>{' '}
              <span className={classes.small}>
                asked {formatTime(createdAt)}, expires {formatTime(expiresAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { request } from '../../api/client.ts';
import { Empty, ErrorState, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { Tag } from '../../components/tag.tsx';
import { CopyField } from '../../components/text-box.tsx';
import {
  type Document,
  dereference,
  examplesOf,
  type Media,
  matches,
  type Operation,
  operationsOf,
} from './openapi-document.ts';
import classes from './reference.module.css';
import { LazyDetails, Prose, SchemaFields } from './schema-fields.tsx';
import { type OperationProps, TryPanel } from './try-panel.tsx';

/** The operations of this deployment's OpenAPI document, each at `#operationId`. */
export default function ReferencePage() {
  const operations = useQuery({
    queryKey: ['/openapi.json'],
    queryFn: async ({ signal }) =>
      operationsOf(dereference((await request<Document>('GET', '/openapi.json', { signal })).data)),
    staleTime: Number.POSITIVE_INFINITY,
    // Schemas may contain themselves.
    structuralSharing: false,
  });
  const { data, error } = operations;
  return (
    <Page
      docs="reference/api.md"
      title="API reference"
      intro={
        <>
          Fill in a request, copy it for curl, or send it with your own key.{' '}
          <a href="/openapi.json">OpenAPI document</a>
        </>
      }
    >
      {data !== undefined ? (
        <Reference operations={data} />
      ) : error !== null ? (
        <ErrorState error={error} retry={() => void operations.refetch()} />
      ) : (
        <Placeholder label="Loading the document" lines={12} />
      )}
    </Page>
  );
}

function Reference({ operations }: { readonly operations: readonly Operation[] }) {
  const id = useLocationProperty(() => window.location.hash.slice(1));
  const [search, setSearch] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [last, setLast] = useState<Operation>();
  const named = operations.find(({ operationId }) => operationId === id);
  if (named !== undefined && named !== last) setLast(named);
  // Other anchors, such as `#content`, change nothing.
  const shown = id === '' ? undefined : (named ?? last);
  const found = operations.filter((operation) => matches(operation, search.trim()));
  return (
    <div className={classes.columns}>
      <nav className={classes.list} aria-label="Operations" data-chosen={shown !== undefined}>
        <TextInput
          type="search"
          label="Search operations"
          placeholder="A path, a word or a field"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <p role="status" className={classes.note}>
          {found.length} of {operations.length} operations
        </p>
        {[...Map.groupBy(found, ({ tags }) => tags[0])].map(([tag, ofTag]) => (
          <section key={tag}>
            <h2>{tag}</h2>
            <ul>
              {ofTag.map((operation) => (
                <li key={operation.operationId}>
                  <a href={`#${operation.operationId}`} aria-current={operation === shown ? 'page' : undefined}>
                    <MethodTag method={operation.method} /> {operation.summary}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {shown === undefined ? (
        <Empty title={id === '' ? 'Choose an operation' : 'This operation does not exist'} />
      ) : (
        <OperationView key={shown.operationId} operation={shown} apiKey={apiKey} onKey={setApiKey} />
      )}
    </div>
  );
}

function MethodTag({ method }: { readonly method: string }) {
  return <Tag tone={method === 'GET' ? 'neutral' : method === 'DELETE' ? 'block' : 'info'}>{method}</Tag>;
}

/** One operation: what it does, its request, its body's fields and its responses. Takes the focus when it is opened. */
function OperationView(props: OperationProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { method, path, summary, description = '', security = [], requestBody, responses } = props.operation;
  return (
    <article className={classes.operation}>
      <Link href="/docs/api" className={classes.back ?? ''}>
        All operations
      </Link>
      <h2 ref={heading} tabIndex={-1}>
        {summary}
      </h2>
      <p>
        <MethodTag method={method} /> <code>{path}</code>
      </p>
      <Prose text={security.length === 0 ? `${description}\n\nNeeds no key.` : description} />
      <TryPanel {...props} />
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => (
        <Panel key={type} title="Body" note={type}>
          <SchemaFields schema={schema} />
        </Panel>
      ))}
      <Panel title="Responses">
        <ul className={classes.fields}>
          {Object.entries(responses).map(([status, response]) => (
            <li key={status}>
              <strong>{status}</strong> <Prose text={response.description} />
              {Object.entries(response.content ?? {}).map(([type, media]) => (
                <LazyDetails
                  key={type}
                  summary={`Fields of ${status}, ${type}`}
                  render={() => <MediaView media={media} />}
                />
              ))}
            </li>
          ))}
        </ul>
      </Panel>
    </article>
  );
}

function MediaView({ media }: { readonly media: Media }) {
  return (
    <>
      {examplesOf(media).map(({ name, text }) => (
        <CopyField key={name} label={name} text={text} />
      ))}
      <SchemaFields schema={media.schema ?? {}} />
    </>
  );
}

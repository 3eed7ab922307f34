import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Empty } from './states.tsx';

interface Props {
  readonly children: ReactNode;
}

/** What is shown of a page that failed to draw itself, or whose files went away with a newer version of the dashboard. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty
        title="This page could not be shown"
        action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
      >
        There may be a newer version of the dashboard.
      </Empty>
    );
  }
}

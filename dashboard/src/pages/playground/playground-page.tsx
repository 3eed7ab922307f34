import { Tabs } from '@mantine/core';
import { Page } from '../../parts/page.tsx';
import { InspectPanel } from './inspect-panel.tsx';
import { ModelPanel } from './model-panel.tsx';

export default function PlaygroundPage() {
  return (
    <Page title="Playground" intro="What the gateway makes of a text, and why.">
      <Tabs defaultValue="inspect">
        <Tabs.List>
          <Tabs.Tab value="inspect">Inspection only</Tabs.Tab>
          <Tabs.Tab value="model">To a model</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="inspect" pt="md">
          <InspectPanel />
        </Tabs.Panel>
        <Tabs.Panel value="model" pt="md">
          <ModelPanel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

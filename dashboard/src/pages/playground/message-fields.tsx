import { Button, NativeSelect, Textarea } from '@mantine/core';
import classes from './playground.module.css';

export interface Message {
  readonly id: number;
  readonly role: string;
  readonly content: string;
}

const ROLES = ['system', 'user', 'assistant'];

interface MessageFieldsProps {
  readonly messages: readonly Message[];
  onChange(messages: readonly Message[]): void;
}

/** A conversation to be judged or asked. */
export function MessageFields({ messages, onChange }: MessageFieldsProps) {
  const change = (id: number, changes: Partial<Message>) =>
    onChange(messages.map((message) => (message.id === id ? { ...message, ...changes } : message)));
  const nextId = Math.max(0, ...messages.map(({ id }) => id)) + 1;
  return (
    <div className={classes.stack}>
      {messages.map(({ id, role, content }, at) => (
        <div key={id} className={classes.message}>
          <NativeSelect
            aria-label={`Role of message ${at + 1}`}
            data={ROLES}
            value={role}
            onChange={(event) => change(id, { role: event.currentTarget.value })}
          />
          <Textarea
            aria-label={`Message ${at + 1}`}
            value={content}
            onChange={(event) => change(id, { content: event.currentTarget.value })}
            rows={2}
          />
          <Button
            variant="subtle"
            size="xs"
            disabled={messages.length === 1}
            onClick={() => onChange(messages.filter((message) => message.id !== id))}
            aria-label={`Remove message ${at + 1}`}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...messages, { id: nextId, role: 'user', content: '' }])}
        >
          Add a message
        </Button>
      </div>
    </div>
  );
}

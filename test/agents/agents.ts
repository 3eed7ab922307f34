import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROMPT } from './steps.ts';

/** Where one session runs and whom it asks. */
export interface Place {
  /** An empty HOME. */
  readonly home: string;
  readonly repository: string;
  /** The service, without `/v1`. */
  readonly origin: string;
  readonly key: string;
  readonly model: string;
}

export interface Launch {
  /** The program of a package, or a script that Node runs. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Agent {
  readonly name: string;
  readonly package: string;
  /** A model of the agent's protocol. */
  readonly model: string;
  launch(place: Place): Launch;
}

const MODULES = path.join(import.meta.dirname, 'node_modules');
const CPU = process.arch === 'arm64' ? 'arm64' : 'x64';
const RIPGREP = path.join(
  MODULES,
  `@openai/codex-linux-${CPU}/vendor/${CPU === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/codex-path`,
);

const node = (script: string, ...args: string[]) => [process.execPath, path.join(MODULES, script), ...args];
const program = (file: string, ...args: string[]) => [path.join(MODULES, file), ...args];

/** Writes a client's configuration below its HOME. */
export function configure(home: string, file: string, content: object | string): string {
  const target = path.join(home, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
  return target;
}

const claude = (model: string) =>
  program(
    `@anthropic-ai/claude-code-linux-${CPU}/claude`,
    ...['-p', PROMPT, '--output-format', 'stream-json', '--verbose', '--model', model],
    ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash Edit Write Read Grep Glob'],
  );
const CLAUDE_ENV = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
};

/** Each runs without questions, updates and telemetry, and reaches the service alone. */
export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    model: 'claude-sonnet-4-5',
    launch: ({ origin, key, model }) => ({
      command: claude(model),
      env: { ...CLAUDE_ENV, ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: key },
    }),
  },
  {
    name: 'Claude Code for Bedrock',
    package: '@anthropic-ai/claude-code',
    model: 'claude-sonnet-4-5',
    launch: ({ origin, key, model }) => ({
      command: claude(model),
      env: {
        ...CLAUDE_ENV,
        CLAUDE_CODE_USE_BEDROCK: '1',
        ANTHROPIC_BEDROCK_BASE_URL: origin,
        AWS_BEARER_TOKEN_BEDROCK: key,
        AWS_REGION: 'eu-central-1',
      },
    }),
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    model: 'gpt-5.5',
    launch: ({ home, origin, key, model }) => {
      configure(
        home,
        '.codex/config.toml',
        [
          `model = "${model}"`,
          'model_provider = "svc"',
          'check_for_update_on_startup = false',
          '[analytics]',
          'enabled = false',
          '[model_providers.svc]',
          'name = "svc"',
          `base_url = "${origin}/v1"`,
          'env_key = "SVC_KEY"',
          'wire_api = "responses"',
          '',
        ].join('\n'),
      );
      return {
        command: node(
          '@openai/codex/bin/codex.js',
          'exec',
          '--dangerously-bypass-approvals-and-sandbox',
          '--json',
          PROMPT,
        ),
        env: { SVC_KEY: key },
      };
    },
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    model: 'gemini-2.5-pro',
    launch: ({ home, origin, key, model }) => {
      configure(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        telemetry: { enabled: false },
        // Without a separate terminal, a command's full output is returned.
        tools: { shell: { enableInteractiveShell: false } },
      });
      return {
        command: node(
          '@google/gemini-cli/bundle/gemini.js',
          '-y',
          '--skip-trust',
          '-m',
          model,
          '-o',
          'stream-json',
          '-p',
          PROMPT,
        ),
        env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: origin },
      };
    },
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    model: 'gpt-4.1',
    launch: ({ home, origin, key, model }) => {
      configure(home, '.config/opencode/opencode.json', {
        autoupdate: false,
        share: 'disabled',
        provider: {
          svc: {
            // It sends an effort for GPT-5, which OpenAI's chat completions refuse beside tools from GPT-5.4 on.
            npm: model.startsWith('gpt-5') ? '@ai-sdk/openai' : '@ai-sdk/openai-compatible',
            options: { baseURL: `${origin}/v1`, apiKey: key },
            models: { [model]: { name: model } },
          },
        },
      });
      return {
        command: program(
          `opencode-linux-${CPU}/bin/opencode`,
          'run',
          '--auto',
          '--format',
          'json',
          '-m',
          `svc/${model}`,
          PROMPT,
        ),
        // It downloads ripgrep where there is none; Codex's package has one.
        env: {
          PATH: `${RIPGREP}:${process.env.PATH}`,
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
          OPENCODE_DISABLE_AUTOUPDATE: '1',
        },
      };
    },
  },
  {
    name: 'Cline',
    package: 'cline',
    model: 'gpt-4.1',
    launch: ({ origin, key, home, model }) => ({
      command: [
        '/bin/sh',
        '-c',
        '"$0" auth openai-compatible -k "$KEY" -m "$MODEL" -b "$BASE" && exec "$0" --json --auto-approve true -P openai-compatible -m "$MODEL" "$PROMPT"',
        path.join(MODULES, `@cline/cli-linux-${CPU}/bin/cline`),
      ],
      env: { KEY: key, BASE: `${origin}/v1`, MODEL: model, PROMPT, CLINE_DIR: path.join(home, '.cline') },
    }),
  },
  {
    name: 'Continue',
    package: '@continuedev/cli',
    model: 'gpt-4.1',
    launch: ({ home, origin, key, model }) => {
      const config = configure(home, '.continue/config.yaml', {
        name: 'local',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: model,
            provider: 'openai',
            model,
            apiBase: `${origin}/v1`,
            apiKey: key,
            roles: ['chat', 'edit', 'apply'],
            capabilities: ['tool_use'],
          },
        ],
      });
      return {
        command: node('@continuedev/cli/dist/cn.js', '--config', config, '--auto', '-p', PROMPT),
        env: {
          CONTINUE_TELEMETRY_ENABLED: '0',
          CONTINUE_CLI_AUTO_UPDATED: '1',
          CONTINUE_GLOBAL_DIR: path.join(home, '.continue'),
        },
      };
    },
  },
  {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    model: 'gpt-4.1',
    launch: ({ home, origin, key, model }) => {
      configure(home, '.qwen/settings.json', {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        telemetry: { enabled: false },
        // Without a separate terminal, a command's full output is returned.
        tools: { shell: { enableInteractiveShell: false } },
      });
      return {
        command: node('@qwen-code/qwen-code/cli-entry.js', '-y', '-m', model, '-o', 'stream-json', PROMPT),
        env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${origin}/v1` },
      };
    },
  },
];

import type { VendorToken } from '../vendor-token.ts';

/** Keys of model providers and of what is built around models. */
export const AI_TOKENS: readonly VendorToken[] = [
  {
    thing: 'openai-key',
    vendor: 'OpenAI key',
    patterns: [
      '\\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}',
      '\\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\\b',
      '\\bsk-[A-Za-z0-9]{48}\\b',
    ],
    minEntropy: 3.8,
    severity: 'critical',
  },
  {
    thing: 'anthropic-key',
    vendor: 'Anthropic key',
    patterns: ['\\bsk-ant-(?:api|admin|oat|ort|sid)[0-9]{2}-[A-Za-z0-9_-]{60,}'],
    minEntropy: 3.8,
    severity: 'critical',
  },
  { thing: 'openrouter-key', vendor: 'OpenRouter key', patterns: ['\\bsk-or-v1-[0-9a-f]{64}\\b'] },
  { thing: 'deepseek-key', vendor: 'DeepSeek key', patterns: ['\\bsk-[0-9a-f]{32}\\b'], score: 0.85 },
  {
    thing: 'huggingface-token',
    vendor: 'Hugging Face token',
    patterns: ['\\b(?:hf|api_org)_[A-Za-z]{34}\\b'],
    minEntropy: 3.5,
  },
  { thing: 'groq-key', vendor: 'Groq key', patterns: ['\\bgsk_[A-Za-z0-9]{52}\\b'] },
  { thing: 'xai-key', vendor: 'xAI key', patterns: ['\\bxai-[A-Za-z0-9]{70,}'] },
  { thing: 'perplexity-key', vendor: 'Perplexity key', patterns: ['\\bpplx-[A-Za-z0-9]{40,}'] },
  { thing: 'replicate-token', vendor: 'Replicate token', patterns: ['\\br8_[A-Za-z0-9]{37}\\b'] },
  { thing: 'nvidia-key', vendor: 'NVIDIA key', patterns: ['\\bnvapi-[A-Za-z0-9_-]{60,}'] },
  {
    thing: 'fireworks-key',
    vendor: 'Fireworks key',
    patterns: ['\\bfw_[A-Za-z0-9]{22,24}\\b'],
    minEntropy: 3.6,
    score: 0.8,
  },
  { thing: 'langsmith-key', vendor: 'LangSmith key', patterns: ['\\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\\b'] },
  { thing: 'pinecone-key', vendor: 'Pinecone key', patterns: ['\\bpcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,}'] },
  { thing: 'elevenlabs-key', vendor: 'ElevenLabs key', patterns: ['\\bsk_[0-9a-f]{48}\\b'] },
];

import type { MetricDeclaration } from '@heddle/platform-telemetry';

export const ACCOUNTS_METRICS = {
  keyLookups: {
    name: 'heddle_key_lookups_total',
    help: 'API keys that were looked up because they were not in the cache',
  },
  keyCacheEntries: { name: 'heddle_key_cache_entries', help: 'Key ids in the cache, good ones and others' },
} as const satisfies Record<string, MetricDeclaration>;

import type { Label } from '../generated/heddle/common/v1/common.js';

type Labels = Readonly<Record<string, string>>;

export function labelMessages(labels: Labels): Label[] {
  return Object.entries(labels).map(([key, value]) => ({ key, valueJson: JSON.stringify(value) }));
}

/**
 * `fromEntries` defines keys and assigns none: a label named `__proto__` is a label. Whoever serves a call refuses JSON of
 * anything else than a text by its own `textOf`.
 */
export function labelsOf(messages: readonly Label[], textOf: (json: string) => string = parsedText): Labels {
  return Object.fromEntries(messages.map(({ key, valueJson }) => [key, textOf(valueJson)]));
}

function parsedText(json: string): string {
  return JSON.parse(json) as string;
}

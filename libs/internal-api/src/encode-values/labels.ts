import type { Label } from '../generated/heddle/common/v1/common.js';

type Labels = Readonly<Record<string, string>>;

export function labelMessages(labels: Labels): Label[] {
  return Object.entries(labels).map(([key, value]) => ({ key, valueJson: JSON.stringify(value) }));
}

/**
 * `fromEntries` defines keys instead of assigning them, so a label may be named `__proto__`.
 * A server passes a `textOf` that refuses JSON other than a text.
 */
export function labelsOf(messages: readonly Label[], textOf: (json: string) => string = parsedText): Labels {
  return Object.fromEntries(messages.map(({ key, valueJson }) => [key, textOf(valueJson)]));
}

function parsedText(json: string): string {
  return JSON.parse(json) as string;
}

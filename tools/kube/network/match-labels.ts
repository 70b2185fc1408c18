import type { LabelSelector } from './network-objects.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a selector selects an object with these labels; an empty one selects every object. */
export function matchesLabels(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Labels = {},
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
      }
    })
  );
}

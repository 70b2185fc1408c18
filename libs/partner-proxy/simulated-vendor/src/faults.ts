/** What goes wrong with a task on demand: a word in a prompt, or in the URL of an image. */
export const FAULTS = ['fail', 'hang', '429', '500', '401', 'slow'] as const;
export type Fault = (typeof FAULTS)[number];

/** The first of the faults whose word, such as `sim:fail`, is in one of the texts. */
export function faultIn(texts: readonly unknown[]): Fault | null {
  const said = texts.filter((text) => typeof text === 'string');
  return FAULTS.find((fault) => said.some((text) => text.includes(`sim:${fault}`))) ?? null;
}

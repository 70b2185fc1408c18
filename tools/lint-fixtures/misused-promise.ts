// expects: @typescript-eslint/no-misused-promises
async function isFull(): Promise<boolean> {
  return true;
}

export function admit(): string {
  return isFull() ? 'refused' : 'admitted';
}

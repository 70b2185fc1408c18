export function renderInvariants(): string {
  return '';
}

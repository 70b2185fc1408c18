// expects: @typescript-eslint/switch-exhaustiveness-check
export function label(status: 'queued' | 'running'): string {
  switch (status) {
    case 'queued':
      return 'waiting';
  }
  return '';
}

// linted as: libs/jobs/domain/src/fixture.ts
// expects: heddle/total-evolve
export function evolve(state: string, event: 'a' | 'b'): string {
  switch (event) {
    case 'a':
      return 'A';
    default:
      return state;
  }
}

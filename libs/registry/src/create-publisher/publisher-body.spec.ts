import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { ProfileBody, PublisherBody } from './publisher-body.dto.js';

const problemsOf = (fields: object): readonly string[] =>
  validateSync(new PublisherBody({ id: 'acme', name: 'Acme', ...fields })).map(({ property }) => property);
const url = (length: number): string => 'https://a.example/'.padEnd(length, 'x');

describe('the body of a new publisher', () => {
  it.each(['ab', 'a-1', `a${'b'.repeat(63)}`])('may have the id %s', (id) => {
    expect(problemsOf({ id })).toEqual([]);
  });

  it.each(['a', 'Ab', '1a', '-a', 'a_b', 'a.b', 'unclaimed', 'admin', `a${'b'.repeat(64)}`, null, 5])(
    'may not have the id %j',
    (id) => {
      expect(problemsOf({ id })).toEqual(['id']);
    },
  );

  it.each([
    ['name', 'n'.repeat(200), 'n'.repeat(201)],
    ['description', '😀'.repeat(1_000), '😀'.repeat(1_001)],
    ['support', 's'.repeat(1_000), 's'.repeat(1_001)],
    ['logo', url(2_048), url(2_049)],
    ['website', 'http://a.example', 'javascript:alert(1)'],
    ['website', 'http://a.example/@b', 'http://user:word@a.example/'],
    ['source_code_repo', 'https://a.example/b.git', 'git@a.example:b'],
  ])('takes %s at its limit and refuses it beyond', (field, taken, refused) => {
    expect(problemsOf({ [field]: taken })).toEqual([]);
    expect(problemsOf({ [field]: refused })).toEqual([field]);
  });

  it('needs a name, which a change of the profile does not', () => {
    expect(problemsOf({ name: '' })).toEqual(['name']);
    expect(validateSync(new ProfileBody({}))).toEqual([]);
  });

  it('leaves what is absent as it was', () => {
    const before = { name: 'Acme', description: 'd', logo: '', source_code_repo: '', support: 's', website: '' };
    const body = new ProfileBody({ name: null, description: '', support: 'help' });
    expect(body.toProfile(before)).toEqual({ ...before, support: 'help' });
  });
});

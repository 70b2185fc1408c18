// What the linter holds: the boundaries between libraries (by their Nx tags), the purity of the domain, and the
// handful of mistakes that reviews miss. Each rule has a fixture under tools/lint-fixtures which must fail.
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { boundaries, boundariesOfSpecs } from './tools/lint/boundaries.mjs';
import { heddleRules } from './tools/lint/heddle-rules.mjs';

const sources = ['**/*.ts'];
const specs = ['**/*.spec.ts', '**/*.{fixture,fake,suite}.ts', 'test/**/*.ts', 'libs/testing/**/*.ts'];
const withServers = ['**/*.{int,e2e}.spec.ts', 'test/**', 'tools/**'];
const domains = [
  'libs/*/domain/src/**/*.ts',
  'libs/workflow/graph/src/**/*.ts',
  'libs/{decision,event-codec}/src/**/*.ts',
];

const heddle = { rules: heddleRules };

export default [
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/fixtures/**',
      '**/generated/**',
      'tools/lint-fixtures/**',
      'test/bench/peers/**',
      '.cache/**',
      '.nx/**',
    ],
  },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.mjs'],
    plugins: { heddle },
    rules: {
      'heddle/no-vague-name': 'error',
      'max-lines': ['error', { max: 400 }],
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: sources,
    plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin, heddle },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: ['tsconfig.specs.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@nx/enforce-module-boundaries': ['error', boundaries],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/max-params': ['error', { max: 6 }],
      'max-lines': ['error', { max: 400 }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'eslint-disable'], location: 'anywhere' }],
      'heddle/max-constructor-params': 'error',
      'heddle/no-field-injection': 'error',
      'heddle/no-pattern-in-match': 'error',
      'heddle/no-export-all': 'error',
      'heddle/no-reexport': 'error',
      'heddle/no-default-export': 'error',
      'heddle/no-forward-ref': 'error',
      'heddle/no-deep-import': 'error',
      'heddle/no-vague-name': 'error',
      'heddle/no-inner-index': 'error',
      'heddle/total-evolve': 'error',
      'heddle/no-module-mock': 'error',
    },
  },
  { files: ['**/*.controller.ts'], rules: { 'heddle/thin-controller': 'error' } },
  {
    files: ['libs/**/*.handler.ts'],
    ignores: ['libs/{registry,partner-proxy}/**'],
    rules: { 'heddle/no-thrown-refusal': 'error' },
  },
  { files: domains, ignores: specs, rules: { 'heddle/pure-domain': 'error' } },
  { files: ['**/*.spec.ts'], ignores: withServers, rules: { 'heddle/no-server-in-unit-spec': 'error' } },
  { files: specs, rules: { '@nx/enforce-module-boundaries': ['error', boundariesOfSpecs] } },
  // The runner of the tests reads its configuration from a default export.
  { files: ['vitest.config.ts', '**/*.config.ts'], rules: { 'heddle/no-default-export': 'off' } },
];

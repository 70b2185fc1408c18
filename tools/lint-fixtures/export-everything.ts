// expects: heddle/no-export-all
export * from 'node:path';

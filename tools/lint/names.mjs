// Names that say nothing about what is inside. One list for the linter and for the check of folders.

export const VAGUE_FOLDERS = [
  'common',
  'shared',
  'core',
  'util',
  'utils',
  'helper',
  'helpers',
  'base',
  'misc',
  'types',
  'interfaces',
  'dtos',
  'entities',
  'services',
  'controllers',
  'repositories',
  'models',
];

/** Ends of type names which stand for "I did not find a name". */
export const VAGUE_SUFFIX = /(Service|Manager|Processor|Helpers?|Utils?|Impl|Base)$/;

export const VAGUE_PREFIX = /^(Abstract|Base)[A-Z]/;

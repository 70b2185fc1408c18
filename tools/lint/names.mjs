// Names that say nothing about their content. One list for the linter and for the check of folders.

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

/** Suffixes of type names that mean "no name was found". */
export const VAGUE_SUFFIX = /(Service|Manager|Processor|Helpers?|Utils?|Impl|Base)$/;

export const VAGUE_PREFIX = /^(Abstract|Base)[A-Z]/;

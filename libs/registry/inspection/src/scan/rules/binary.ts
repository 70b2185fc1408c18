const BINARY = /\.(so(\.\d+)*|pyd|dll|exe|dylib|pth|whl)$/i;

export const binary = {
  type: 'binary' as const,
  message:
    'Is a compiled file, which cannot be reviewed. Put its source in the package, or depend on a package that has it.',
  matches: (path: string): boolean => BINARY.test(path),
};

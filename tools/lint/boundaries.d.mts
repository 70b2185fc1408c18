interface DepConstraint {
  readonly sourceTag?: string;
  readonly onlyDependOnLibsWithTags: readonly string[];
}

export const boundaries: { readonly depConstraints: readonly DepConstraint[] };

/** Types of the inputs behind a dynamic input, by dotted name; `null` for a list of choices. */
export function dynamicInputTypes(name: string, type: string, options: unknown): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  if (type === 'COMFY_AUTOGROW_V3') addGrowing(found, name, field(options, 'template'));
  if (type === 'COMFY_DYNAMICCOMBO_V3') {
    const choices = field(options, 'options');
    for (const choice of Array.isArray(choices) ? (choices as unknown[]) : []) {
      addDeclared(found, name, field(choice, 'inputs'));
    }
  }
  return found;
}

/** Adds names such as `images.image0`, or the names in the template. */
function addGrowing(found: Map<string, string | null>, name: string, template: unknown): void {
  const declared = new Map<string, string | null>();
  addDeclared(declared, '', field(template, 'input'));
  const [type] = declared.values();
  const names = field(template, 'names');
  const [prefix, max] = [field(template, 'prefix'), field(template, 'max')];
  const members = Array.isArray(names)
    ? (names as unknown[])
    : Array.from({ length: typeof max === 'number' ? max : 0 }, (_, i) => `${String(prefix)}${i}`);
  for (const member of members) found.set(`${name}.${String(member)}`, type ?? null);
}

/** Adds declared inputs. Two choices may share a name, with the same type. */
function addDeclared(found: Map<string, string | null>, name: string, inputs: unknown): void {
  for (const group of ['required', 'optional']) {
    const declared = field(inputs, group);
    for (const [member, spec] of isRecord(declared) ? Object.entries(declared) : []) {
      const [type, options]: unknown[] = Array.isArray(spec) ? spec : [];
      const full = name === '' ? member : `${name}.${member}`;
      found.set(full, typeof type === 'string' ? type : null);
      if (typeof type !== 'string') continue;
      for (const [inner, innerType] of dynamicInputTypes(full, type, options)) found.set(inner, innerType);
    }
  }
}

export function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

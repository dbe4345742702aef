/** Words what `ptx.requirements` found as Markdown. */

interface Least {
  value: string;
  forced_by: { line: number; what: string }[];
  cuda?: string;
  driver?: string | null;
}

interface Facts {
  declared: { version: string | null; target: string | null };
  version_for_target: Least | null;
  version: Least | null;
  target: Least | null;
  targets: string[];
  locked_to: Least | null;
}

/** A page about a file of that name. */
export function showRequirements(name: string, found: unknown): string {
  const facts = found as Facts;
  const { declared, version, target, version_for_target: own } = facts;
  const parts = [
    `# Requirements of \`${name}\``,
    `The file declares version ${declared.version ?? 'none'} and target ${code(declared.target)}.`,
  ];
  if (version === null || target === null) {
    parts.push('No combination of version and target supports everything that the file uses.');
    return parts.join('\n\n');
  }
  if (own !== null) {
    parts.push(`## For ${code(declared.target)}\n\nPTX ISA ${own.value}${because(own)}`);
  }
  const driver = version.driver ? `, driver ${version.driver}` : '';
  parts.push(
    `## Lowest version\n\nPTX ISA ${version.value} (${version.cuda}${driver})${because(version)}`,
    `## Oldest target\n\n${code(target.value)}${because(target)}`,
  );
  if (facts.locked_to !== null) {
    parts.push(`## Runs on\n\nonly ${code(facts.locked_to.value)}${because(facts.locked_to)}`);
  } else if (facts.targets.length > 0) {
    parts.push(`## Runs on\n\n${facts.targets.map(code).join(', ')}`);
  }
  return parts.join('\n\n');
}

function because(least: Least): string {
  const lines = least.forced_by.map(it => `- line ${it.line}: ${it.what}`);
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}

function code(text: string | null): string {
  return text === null ? 'none' : `\`${text}\``;
}

import { runProgram } from '../helpers/programs.ts';
import { readDeploy } from './read-deploy.ts';

/**
 * The system calls that the unit forbids, as systemd expands its sets. Only calls that belong to a set are known.
 */
export async function forbiddenCalls(): Promise<readonly string[]> {
  const sets = new Map<string, string[]>();
  let members: string[] = [];
  const { output } = await runProgram('systemd-analyze', ['syscall-filter', '--no-pager']);
  for (const line of output.split('\n')) {
    if (line.startsWith('@')) {
      members = [];
      sets.set(line.trim(), members);
    } else if (/^\s+[@\w]/.test(line)) members.push(line.trim());
  }
  const expand = (name: string): readonly string[] =>
    name.startsWith('@') ? (sets.get(name) ?? []).flatMap(expand) : [name];
  const allowed = new Set(expand('@default'));
  for (const [, sign, names = ''] of readDeploy('systemd/gatekeeper.service').matchAll(
    /^SystemCallFilter=(~?)(.+)$/gm,
  )) {
    for (const call of names.split(' ').flatMap(expand)) {
      if (sign === '~') allowed.delete(call);
      else allowed.add(call);
    }
  }
  const all = new Set([...sets.keys()].flatMap(expand));
  return [...all].filter((call) => !allowed.has(call)).sort();
}

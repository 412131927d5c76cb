import type { WorkBudget } from '../work-budget.ts';

/** What an alias costs beside its characters, and each of these, in units of the budget. */
const COST_PER_ALIAS = 500;
const COST_PER_CHARACTER = 12;

/** What a server looks for in a folder, so that the folder's own path reaches it. */
const INDEX = /\/(?:index|default)\.[a-z0-9]{1,5}$/;
/** The action that a controller has by default, and what it is handed (CodeIgniter, CakePHP, Yii, ASP.NET MVC). */
const INDEX_ACTION = /\/index(?:\/.*)?$/s;
const SCRIPT_IN_FRONT = /^\/(?:[^/]+\/)*?[^/]+\.(?:php\d?|phtml|cgi|fcgi|pl|py)(?=\/)/;
/** A script with what it is handed behind it; an index script is handed every path, so it is not meant. */
const HANDED_SCRIPT =
  /\/(?!index\.|default\.)[^/]+\.(?:php\d?|phtml|f?cgi|pl|py|rb|aspx?|jspx?|cfm|do)(?=\/)/;

/**
 * A path and other paths that servers take for the same: without the file that stands for its folder
 * (`/signup/index.php`), without a leading front controller (`/index.php/signup`), without what a script is handed
 * (`/signup.php/x`), without the action that is meant when none is named (`/signup/index`); and each procedure of a list
 * (`/trpc/user.list,auth.signup`).
 *
 * @param path A folded variant.
 * @returns null where it has but its own name.
 */
export function aliasesOf(path: string, budget: WorkBudget): readonly string[] | null {
  const last = path.lastIndexOf('/') + 1;
  const isList = path.includes(',', last);
  const hasIndex = path.includes('/index');
  if (!isList && !hasIndex && !path.includes('.')) return null;
  const aliases = new Set([path]);
  for (const procedure of isList ? path.slice(last).split(',') : []) {
    budget.spend(COST_PER_ALIAS + last);
    if (procedure.trim() !== '') aliases.add(path.slice(0, last) + procedure.trim());
  }
  for (const alias of [...aliases]) {
    budget.spend(COST_PER_ALIAS + alias.length * COST_PER_CHARACTER);
    if (alias.includes('.')) {
      aliases.add(alias.replace(INDEX, '') || '/');
      aliases.add(withoutPathInfo(alias));
    }
  }
  for (const alias of [...aliases]) aliases.add(alias.replace(SCRIPT_IN_FRONT, ''));
  if (hasIndex) for (const alias of [...aliases]) aliases.add(alias.replace(INDEX_ACTION, '') || '/');
  return [...aliases];
}

function withoutPathInfo(path: string): string {
  const script = HANDED_SCRIPT.exec(path);
  return script ? path.slice(0, script.index + script[0].length) : path;
}

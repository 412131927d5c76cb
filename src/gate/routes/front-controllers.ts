/** Extensions of scripts that a server runs with any path after them, as one alternative of a pattern. */
export const SCRIPT_EXTENSIONS =
  'php\\d?|phtml|f?cgi|psgi|wsgi|pl|py|rb|lua|exe|dll|aspx?|ashx|jspx?|cfm|cfc|do';

/**
 * Scripts that receive every path of an app, in the query or after their name: CodeIgniter, Drupal, OpenCart, ThinkPHP,
 * Yii, WordPress, FW/1. The index file of the top folder is such a script too. The groups are the folder, with a slash
 * at its end, and the path after the script.
 */
const FRONT_CONTROLLER = new RegExp(
  '^(/(?:[^/]+/)*?)(?:index|default|app|main|web|front|front_?controller|controller|router?|dispatch(?:er)?|bootstrap|' +
    `start|home|public|server)(?:[_-](?:dev|prod|test))?\\.(?:${SCRIPT_EXTENSIONS})(?:/(.*)|$)`,
  's',
);

/** The folder of a front controller, with a slash at its end; null when the path is not a front controller. */
export function frontFolder(path: string): string | null {
  return path === '/' ? path : (FRONT_CONTROLLER.exec(path)?.[1] ?? null);
}

/** The path that a front controller receives after its name, below its folder; null without such a path. */
export function withoutFrontController(path: string): string | null {
  const [, folder = '/', rest = ''] = FRONT_CONTROLLER.exec(path) ?? [];
  return rest === '' ? null : `${folder}${rest}`;
}

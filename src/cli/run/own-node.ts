/**
 * The environment for a Node process of Hookline's own. Node's variables can make it fail, or run something else first. They are put aside
 * under another name, and `bin/hookline.js` gives them back to the hooks that the process starts. `bin/hookline-hook` does the same.
 */
export function ownNodeEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.startsWith('NODE_') ? `HOOKLINE_KEPT_${name}` : name, value]));
}

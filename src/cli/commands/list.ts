/** `hookline list`: every hook that is found, with where it came from and whether it runs. */
import { createHookline } from '../../api/create-hookline.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { engineOptions } from '../engine-options.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonDocument } from '../output.ts';
import { renderList } from '../render/list.ts';
import { terminalStyle } from '../render/style.ts';

export { listSpec as spec } from '../specs/list.ts';

export async function run(args: Arguments): Promise<Answer> {
  const hookline = await createHookline(engineOptions(args));
  const listed = await hookline.list();
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument(listed) };
  return { exit: EXIT.ok, out: renderList(listed, terminalStyle()) };
}

/** Products that Hookline recognises, because they start commands or read the files of other agents, but does not answer. */
import type { OtherProduct } from '../../core/contracts/host.ts';

export const OTHER_PRODUCTS: readonly OtherProduct[] = [
  {
    id: 'vscode',
    title: 'VS Code',
    folder: '.vscode',
    eventKey: 'hookEventName',
    signs: { payload: [], env: [], markers: [], project: null },
    unleashed: null,
    alsoReads: [
      { host: 'claude-code', scopes: ['user', 'project'] },
      { host: 'copilot', scopes: ['user', 'project'] },
    ],
  },
  {
    id: 'augment',
    title: 'Augment',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: ['AUGMENT_HOOK_EVENT'], project: 'AUGMENT_PROJECT_DIR' },
    unleashed: null,
    alsoReads: [],
  },
  {
    id: 'crush',
    title: 'Crush',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: ['CRUSH'], project: 'CRUSH_PROJECT_DIR' },
    unleashed: { programs: ['crush', '@charmland/crush'], words: ['--yolo', '-y'], env: {} },
    alsoReads: [],
  },
  {
    id: 'continue',
    title: 'Continue',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: [], project: 'CONTINUE_PROJECT_DIR' },
    unleashed: { programs: ['cn', '@continuedev/cli'], words: ['--auto', '--allow *'], env: {} },
    alsoReads: [],
  },
];

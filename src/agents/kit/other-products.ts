/** Products that Hookline recognises, because they start commands or read the files of other agents, but does not answer. */
import type { OtherProduct, Signs } from '../../core/contracts/host.ts';

export const OTHER_PRODUCTS: readonly OtherProduct[] = [
  {
    id: 'vscode',
    title: 'VS Code',
    folder: '.vscode',
    eventKey: 'hookEventName',
    signs: {
      payload: [],
      env: [],
      markers: [],
      project: null,
      programs: [],
      editors: ['code', 'code-insiders', 'codium', 'Code', 'Visual Studio Code.app', '.vscode-server'],
    },
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
    signs: {
      payload: [],
      env: [],
      markers: ['AUGMENT_HOOK_EVENT'],
      project: 'AUGMENT_PROJECT_DIR',
      programs: ['auggie', '@augmentcode/auggie'],
      editors: [],
    },
    unleashed: null,
    alsoReads: [],
  },
  {
    id: 'crush',
    title: 'Crush',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: ['CRUSH'], project: 'CRUSH_PROJECT_DIR', programs: ['crush'], editors: [] },
    unleashed: { words: ['--yolo', '-y'], env: {} },
    alsoReads: [],
  },
  {
    id: 'continue',
    title: 'Continue',
    folder: null,
    eventKey: null,
    signs: { payload: [], env: [], markers: [], project: 'CONTINUE_PROJECT_DIR', programs: ['@continuedev/cli'], editors: [] },
    unleashed: { words: ['--auto', '--allow *'], env: {} },
    alsoReads: [],
  },
];

/** Products of which Hookline knows no more than the names of their programs. */
export const OTHER_PROGRAMS: readonly ({ readonly title: string } & Pick<Signs, 'programs' | 'editors'>)[] = [
  { title: 'Aider', programs: ['aider'], editors: [] },
  { title: 'Amp', programs: ['amp', '@sourcegraph/amp'], editors: [] },
  { title: 'Goose', programs: ['goose', 'goosed'], editors: [] },
  { title: 'Amazon Q', programs: ['qchat', 'kiro-cli'], editors: ['kiro', 'Kiro.app'] },
  { title: 'OpenHands', programs: ['openhands'], editors: [] },
  { title: 'Plandex', programs: ['plandex'], editors: [] },
  { title: 'Junie', programs: ['junie'], editors: [] },
  { title: 'Kilo Code', programs: ['kilo', 'kilocode', '@kilocode/cli'], editors: [] },
  { title: 'Zed', programs: [], editors: ['zed', 'zed-editor', 'Zed.app', '.zed_server'] },
  { title: 'Warp', programs: [], editors: ['warp', 'warp-terminal', 'Warp.app'] },
  { title: 'Antigravity', programs: [], editors: ['antigravity', 'Antigravity.app'] },
  {
    title: 'A JetBrains editor',
    programs: [],
    editors: [
      'idea',
      'pycharm',
      'webstorm',
      'phpstorm',
      'goland',
      'rubymine',
      'clion',
      'rider',
      'rustrover',
      'datagrip',
      'studio',
      'fleet',
    ],
  },
];

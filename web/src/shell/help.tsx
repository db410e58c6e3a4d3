/** The keys of all screens. */
import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';

const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['g l', 'Live'],
      ['g a', 'Approvals'],
      ['g s', 'Sessions'],
      ['g h', 'Hooks'],
      ['g o', 'Log'],
      ['g w', 'What if'],
      ['Ctrl K', 'go anywhere'],
      ['/', 'filter'],
      ['y', 'copy the link'],
      ['t', 'light or dark'],
      ['?', 'this help'],
    ],
  ],
  [
    'Lists',
    [
      ['j k', 'down and up'],
      ['↵', 'open'],
      ['esc', 'back'],
      ['x', 'unfold passes'],
      ['space', 'pause'],
    ],
  ],
  [
    'A decision',
    [
      ['[ ]', 'newer and older in the filter'],
      ['w', 'copy as sentences'],
    ],
  ],
  [
    'Approvals',
    [
      ['a', 'approve, then ↵'],
      ['d', 'deny, then ↵'],
      ['e', 'edit'],
      ['n', 'note'],
    ],
  ],
  ['Log', [['v', 'verify']]],
];

export function Help({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog label="Keys" class="help" onClose={onClose}>
      <header>
        <h2>Keys</h2>
        <button type="button" class="btn ghost" onClick={onClose}>
          Close{' '}
          <span class="kbd" aria-hidden="true">
            esc
          </span>
        </button>
      </header>
      <div class="help-groups">
        {GROUPS.map(([title, keys]) => (
          <section key={title}>
            <h3 class="h3">{title}</h3>
            <dl>
              {keys.map(([key, says]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{says}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

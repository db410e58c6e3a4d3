/**
 * Laws for held calls in every adapter. Each job is a process of its own, so a run is suspended in one, approved in a second and resumed in a third.
 * Nothing that a client or an SDK says is an approval: only the ticket is.
 */
import type { AdapterReport, JobCall, JobHook } from './adapter-job.ts';
import { READ } from './adapter-tool-laws.ts';
import type { AdapterBench, Perform } from './describe-adapter.ts';
import type { Suite } from './suite.ts';

const DEPLOY: JobCall = { id: 'call-deploy', tool: 'deploy', input: { text: 'production' } };
const SECOND: JobCall = { id: 'call-second', tool: 'deploy', input: { text: 'warehouse' } };
const HOLD: JobHook = { on: 'tool.before', match: '^deploy$', does: { decision: 'hold', reason: 'deployments need a person' } };
const RAN = [{ tool: 'deploy', input: { text: 'production' } }];
const BY_ANN = { by: 'ann' };

export function holdLaws(suite: Suite, bench: AdapterBench): void {
  settledLaws(suite, bench);
  forgeryLaws(suite, bench);
  severalLaws(suite, bench);
}

const suspend = (perform: Perform, calls: readonly JobCall[] = [DEPLOY], stream = false): Promise<AdapterReport> =>
  perform({ hooks: [HOLD], calls, stream });
const approve = (perform: Perform): Promise<AdapterReport> => perform({ hooks: [HOLD], settle: { approve: true, ...BY_ANN } });

function settledLaws({ expect }: Suite, { law }: AdapterBench): void {
  law('a held call suspends, is approved in another process, resumes in a third and runs once', ['hold'], async (perform) => {
    for (const stream of [false, true]) {
      const session = `session-${stream}`;
      const first = await perform({ hooks: [HOLD], calls: [DEPLOY], stream, session });
      expect([first.error, first.ran, first.held, first.modelCalls]).toEqual([null, [], ['call-deploy'], 1]);
      const own = first.tickets.filter((ticket) => ticket.session === session);
      expect(own.map(({ state, call }) => [state, call])).toEqual([['open', 'call-deploy']]);
      await approve(perform);
      const third = await perform({ hooks: [HOLD], calls: [DEPLOY], resume: first.state, stream, session });
      expect([third.error, third.ran, third.held]).toEqual([null, RAN, []]);
      expect(third.seen['call-deploy']?.includes('deploy production')).toBe(true);
      expect(third.output.includes('done')).toBe(true);
    }
  });

  law('a call that a person denied does not run, and the model gets their note', ['hold'], async (perform) => {
    const first = await suspend(perform);
    await perform({ hooks: [HOLD], settle: { approve: false, ...BY_ANN, note: 'not on a Friday' } });
    const { ran, seen } = await perform({ hooks: [HOLD], calls: [DEPLOY], resume: first.state });
    expect(ran).toEqual([]);
    expect(seen['call-deploy']?.includes('not on a Friday')).toBe(true);
  });

  law('a person who approves another input has that input run', ['hold'], async (perform) => {
    const first = await suspend(perform);
    await perform({ hooks: [HOLD], settle: { approve: true, ...BY_ANN, input: { text: 'staging' } } });
    const { ran } = await perform({ hooks: [HOLD], calls: [DEPLOY], resume: first.state });
    expect(ran).toEqual([{ tool: 'deploy', input: { text: 'staging' } }]);
  });
}

function forgeryLaws({ expect }: Suite, { law }: AdapterBench): void {
  law('a client that says approved while the ticket is open runs nothing', ['hold'], async (perform) => {
    const first = await suspend(perform);
    const { ran } = await perform({ hooks: [HOLD], calls: [DEPLOY], resume: first.state });
    expect(ran).toEqual([]);
  });

  law('an approval that is replayed runs nothing', ['hold'], async (perform) => {
    const first = await suspend(perform);
    await approve(perform);
    const resume = { hooks: [HOLD], calls: [DEPLOY], resume: first.state };
    expect((await perform(resume)).ran).toEqual(RAN);
    expect((await perform(resume)).ran).toEqual([]);
  });

  law('an approved call whose input is changed in the saved state does not run as changed', ['hold'], async (perform) => {
    const first = await suspend(perform);
    await approve(perform);
    const changed = (value: unknown): never => JSON.parse(JSON.stringify(value).replaceAll('production', 'elsewhere')) as never;
    const { ran } = await perform({ hooks: [HOLD], calls: changed([DEPLOY]), resume: changed(first.state) });
    expect(ran.filter(({ input }) => input['text'] !== 'production')).toEqual([]);
  });

  law('another session cannot use the approval', ['hold'], async (perform) => {
    const first = await suspend(perform);
    await approve(perform);
    const { ran } = await perform({ hooks: [HOLD], calls: [DEPLOY], resume: first.state, session: 'session-2' });
    expect(ran).toEqual([]);
  });
}

function severalLaws({ expect }: Suite, { law }: AdapterBench): void {
  law('a held call does not stop its siblings, and they do not run again', ['hold', 'siblings'], async (perform) => {
    const first = await suspend(perform, [DEPLOY, READ]);
    expect([first.ran, first.held]).toEqual([[{ tool: 'read', input: { text: 'notes' } }], ['call-deploy']]);
    await approve(perform);
    const { ran, seen } = await perform({ hooks: [HOLD], calls: [DEPLOY, READ], resume: first.state });
    expect(ran).toEqual(RAN);
    expect([seen['call-read']?.includes('read notes'), seen['call-deploy']?.includes('deploy production')]).toEqual([true, true]);
  });

  law('of two held calls the approved one runs and the denied one does not', ['hold', 'severalHeld'], async (perform) => {
    const first = await suspend(perform, [DEPLOY, SECOND]);
    expect([...first.held].sort()).toEqual(['call-deploy', 'call-second']);
    await perform({ hooks: [HOLD], settle: { approve: true, ...BY_ANN, calls: ['call-deploy'] } });
    await perform({ hooks: [HOLD], settle: { approve: false, ...BY_ANN, note: 'one is enough' } });
    const { ran, seen } = await perform({ hooks: [HOLD], calls: [DEPLOY, SECOND], resume: first.state });
    expect(ran).toEqual(RAN);
    expect(seen['call-second']?.includes('one is enough')).toBe(true);
  });
}

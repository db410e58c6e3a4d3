/** Who would be asked about an event, in order, and why the others would not. Nothing runs for this. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanAnswer } from '../../../src/ui/api.ts';
import { Line, Passage } from '../parts/text.tsx';
import { plural } from '../parts/time.ts';
import { placeOf } from '../story/waterfall.tsx';

export function Planned({ answer }: { readonly answer: PlanAnswer }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const { plan, problem } = answer;
  if (!plan)
    return (
      <p class="notice fault" role="alert">
        <Passage text={problem ?? 'There is no plan for this event.'} />
      </p>
    );
  const running = plan.hooks.filter(({ runs }) => runs);
  const others = plan.hooks.filter(({ runs }) => !runs);
  return (
    <section class="planned" aria-label="Who would be asked">
      {plan.denied && (
        <p class="notice deny">
          <b>It would be denied before any hook is asked:</b> <Passage text={plan.denied} />
        </p>
      )}
      <h3 class="h3">
        {running.length === 0 ? 'No hook would be asked' : `${plural(running.length, 'hook')} would be asked, in this order`}
      </h3>
      {running.length > 0 && (
        <ol class="plan">
          {running.map((hook) => (
            <li key={hook.id}>
              <Line class="mono b" text={hook.name} /> <Line class="t3" text={hook.dialect} />
              <Line class="mono t3 small place cut" text={placeOf(hook.source)} />
              <Line class="t2 small place" text={hook.why} />
            </li>
          ))}
        </ol>
      )}
      {others.length > 0 && (
        <button type="button" class="btn" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {plural(others.length, 'hook')} would not
        </button>
      )}
      {isWhole && (
        <ul class="plan">
          {others.map((hook) => (
            <li key={hook.id}>
              <Line class="mono b" text={hook.name} /> <Line class="t3" text={hook.dialect} />
              <Line class="t2 small place" text={hook.why} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Whose action it was, and what proves the record. */
import type { JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { Badge } from '../parts/badge.tsx';
import { folderName, hostName } from '../parts/names.ts';
import { Line, visible } from '../parts/text.tsx';
import { plural } from '../parts/time.ts';

export function Facts({ detail, isShort = false }: { readonly detail: EntryDetail; readonly isShort?: boolean }): JSX.Element {
  const { entry, record, title } = detail;
  const { who } = record;
  return (
    <dl class="kv">
      {(entry.host !== '' || entry.sort !== 'act') && (
        <>
          <dt>Agent</dt>
          <dd>
            <Line text={hostName(entry.host)} /> {who?.hostVersion && <Line class="t3" text={who.hostVersion} />}
          </dd>
        </>
      )}
      {entry.agent && (
        <>
          <dt>Subagent</dt>
          <dd>
            <Line text={entry.agent} />
          </dd>
        </>
      )}
      <dt>{entry.sort === 'act' ? 'By' : 'For'}</dt>
      <dd class="with-badge">
        <Badge of={entry.user} />
        <Line text={entry.user || 'unknown'} />
      </dd>
      {entry.machine && (
        <>
          <dt>Machine</dt>
          <dd>
            <Line text={entry.machine} />
          </dd>
        </>
      )}
      <dt>Session</dt>
      <dd>
        <a class="link cut" href={hrefOf('sessions', entry.session)} title={visible(entry.session)}>
          <Line text={title ?? entry.session} />
        </a>
      </dd>
      <dt>Project</dt>
      <dd title={visible(entry.project)}>
        <a class="link" href={hrefOf('live', null, { project: entry.project })}>
          <Line text={folderName(entry.project)} />
        </a>
      </dd>
      {!isShort && (
        <>
          <dt>Event</dt>
          <dd>
            <Line text={entry.kind} />
          </dd>
          <dt>Entry</dt>
          <dd class="num">{entry.pos}</dd>
          {record.digests?.hooks && (
            <>
              <dt>Hook set</dt>
              <dd>
                <Digest of={record.digests.hooks} />
              </dd>
            </>
          )}
          <dt>Hash</dt>
          <dd>
            <Digest of={record.hash} />
          </dd>
          {record.masked.length > 0 && (
            <>
              <dt>Masked</dt>
              <dd>
                {plural(record.masked.length, 'value')} <Line class="t3" text={record.masked.join(', ')} />
              </dd>
            </>
          )}
        </>
      )}
    </dl>
  );
}

function Digest({ of }: { of: string }): JSX.Element {
  const hex = visible(of.replace(/^sha256:/, ''));
  return (
    <code title={visible(of)}>
      {hex.slice(0, 4)}…{hex.slice(-4)}
    </code>
  );
}

/** Reads the events of a response as the server sends them. */
export type Told = readonly [name: string, text: string, id: string | null];
/** Called with the events that arrived together. */
type OnEvents = (events: readonly Told[]) => void;

export async function readEvents(response: Response, onEvents: OnEvents): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    onEvents(blocks.flatMap(readBlock));
  }
}

function readBlock(block: string): Told[] {
  let name = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') name = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return data.length > 0 ? [[name, data.join('\n'), id]] : [];
}

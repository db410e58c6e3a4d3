import { expect, test } from 'vitest';
import { guardCommand } from '../../../../src/guard/guard.ts';

const rules = (command: string, packs: readonly string[] = []) => guardCommand(command, { packs }).findings.map(({ rule }) => rule);

test.each([
  'psql -c "drop table orders"',
  'psql -d shop --command="DROP   TABLE orders; SELECT 1"',
  'mysql -uroot -e"TRUNCATE orders"',
  'sqlite3 app.db "DELETE FROM orders"',
  "psql <<'SQL'\nbegin;\ndrop schema public cascade;\nSQL",
  'echo "drop database shop" | sudo -u postgres psql',
])('a statement that destroys is found wherever a client takes it from: %s', (command) => {
  expect(rules(command)).toContain('sql-destroy');
});

test.each([
  'psql -c "select * from orders"',
  'sqlite3 app.db "DELETE FROM orders WHERE id = 1"',
  `psql -c "insert into notes values ('drop table orders')"`,
  'psql -c "select 1 -- drop table orders"',
  'echo "drop table orders"',
  'grep -r "DROP TABLE" migrations',
])('reading, narrowed deletes and text about statements are left alone: %s', (command) => {
  expect(rules(command)).toEqual([]);
});

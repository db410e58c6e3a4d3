/** What a wrapper would run. Texts are only ever analysed here, never run. */
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';

const INNER = 'frob -x /y';
const found = (text: string) => analyse(text).commands.some(({ argv }) => argv.join(' ') === INNER);

describe('a command is found inside', () => {
  test.each(
    `sudo -u root -E @|sudo --user=root -- @|doas -u root @|env -i A=b @|env -u HOME @|env -S '@'|env -S 'A=b frob' -x /y|env -C /t - @|command -p @
    exec -a n @|nohup @|setsid -w @|nice -n 5 @|nice -5 @|ionice -c2 -n7 @|chrt -f 10 @|taskset -c 0,1 @|stdbuf -oL @|timeout -s KILL -k 5 10 @
    time -p @|/usr/bin/time -f %e @|watch -n1 '@'|strace -f -e trace=file -o log @|ltrace -o log @|caffeinate -i @|flock -n /l @|flock /l -c '@'
    unshare -r @|chroot /mnt @|nsenter -t 1 -m @|setpriv --reuid 1 @|su - bob -c '@'|runuser -u bob -- @|runuser -l bob -c '@'|script -qc '@' /l
    script -q /dev/null @|busybox @|ssh -p 22 host @|ssh -vvoProxyCommand='@' host|ssh -o 'LocalCommand @' host|scp -S '@' a h:b
    sftp -oProxyCommand='@' h|rsync -ave '@' a h:b|rsync --rsync-path='@' a h:b|docker run --rm -v /a:/b -w /b image @|docker exec -it box @
    docker compose -f x.yml exec db @|podman run --entrypoint frob image -x /y|kubectl -n ns exec pod -c box -- @|npx -c '@'|npm exec -- @
    hookline mcp proxy -- @|npx hookline mcp --home /h proxy --name x -- @
    pnpm dlx @|uv run @|poetry run @|bundle exec @|mise exec node@20 -- @|direnv exec . @|nix-shell -p a --run '@'|nix develop .#x -c @
    tar -I '@' -cf a b|tar xf a --to-command='@'|tar cf a b --checkpoint=1 --checkpoint-action=exec='@'|tar --use-comp='@' -xf a|zip a b -T -TT '@'
    tmux new-session -ds x '@'|tmux send-keys -t x '@' Enter|screen -dmS x @|vim -c ':!@' f|nvim '+!@'|man -P '@' ls|sed '1e @' f|gdb -ex '!@'
    echo '@' : at now|echo '* * * * * @' : crontab -|systemd-run --user @|entr @|hyperfine '@'|concurrently a '@'|xterm -e @|wsl -e @
    gcloud --project p compute ssh vm --zone z --command='@'|gcloud compute ssh vm -- @|az vm run-command invoke -g g -n v --scripts '@'
    aws --profile p ssm send-command --parameters 'commands=["@"]'|aws ssm send-command --parameters '{"commands":["@"]}'|aws ecs execute-command --task t --command '@'
    doctl compute ssh d --ssh-command '@'|fly ssh console -a app -C '@'|flyctl machine exec m '@'|heroku run -a app @|docker-machine ssh m '@'
    eb ssh -c '@'|juju ssh 0 @|juju exec --unit u/0 @|salt -t 5 '*' cmd.run '@'|bolt command run '@' --targets all
    lftp -e '!@' h|ftp h <<< '!@'|dc -e '!@'|gnuplot -e 'system("@")'|octave --eval 'system("@")'
    watchexec -e rs -- '@'|hwatch '@'|chokidar '**/*.ts' -c '@'|cargo watch -x run -s '@'|java -XX:OnError='@' Main|java -cp . -XX:OnOutOfMemoryError='@' Main
    tmux bind-key x run-shell '@'|hg --config alias.x='!@' x
    apt-get -o APT::Update::Pre-Invoke::='@' update|apt -o'DPkg::Pre-Install-Pkgs=@' install a
    byobu new-session -d '@'|zellij action write-chars '@'
    psql -c '\\! @'|sqlite3 db '.shell @'|trap '@' EXIT|coproc @|find . -exec @ \\;|xargs -I% @ < /dev/null`
      .split(/\n\s*|\|/)
      .map((text) => text.replace(' : ', ' | ')),
  )('%j', (text) => {
    expect(found(text.replaceAll('@', INNER))).toBe(!text.startsWith('xargs'));
  });
});

test('what only asks for help, or names the command, runs nothing', () => {
  for (const text of [
    'timeout --help',
    'sudo -l',
    'env --version',
    'command -v frob',
    'xargs --help',
    'docker ps',
    'kubectl exec pod frob -x /y',
    'gcloud compute ssh vm',
    'aws s3 ls',
    'heroku logs --tail',
    "dc -e '2 1 !<a'",
    'ftp host',
  ])
    expect([text, analyse(text).commands.length]).toEqual([text, 1]);
  expect(found('unknown-wrapper frob -x /y')).toBe(false);
});

test('a variable that a wrapper sets is in the environment of what it runs', () => {
  const env = (text: string) => analyse(text).commands.at(-1)?.env;
  expect(env('env A=b frob')).toEqual({ A: 'b' });
  expect(env('sudo A=b frob')).toEqual({ A: 'b' });
  expect(env('export A=b; env -u A frob')?.['A']).toBe('');
});

/**
 * The program of the launcher, in Perl: a small process that starts hooks. Perl forks as cheaply as a shell, and unlike a shell it has the exact
 * status of a process, the exact error of a failed start, and an environment of any bytes.
 *
 * A request is four bytes with its length, then fields that end in zero bytes: id, folder, umask, the files for stdin, stdout and stderr, the
 * number of words, the words, and the variables. The replies are lines:
 *
 * | line | meaning |
 * |---|---|
 * | `ready` | requests are read from now on |
 * | `+ ID PID` | the hook runs for longer than an instant, in the group PID |
 * | `- ID STATUS` | the process has ended, and was collected |
 * | `! ID ERRNO` | the program could not be started; `-` follows |
 * | `? ID ERRNO` | nothing was tried, because the launcher cannot open the files or fork |
 *
 * The end of its stdin is the end of the process that it serves. It then ends the hooks that still run: TERM, and KILL half a second later.
 */
export const LAUNCHER_SCRIPT = String.raw`
use strict;
my ($variables, $unread, %id, %unreported) = (undef, '');
open(my $up, '>&', \*STDOUT) or exit 1;
# Handlers that do nothing, and not IGNORE: exec itself sets a handled signal back, so a forked process need not, and touches less memory.
$SIG{$_} = sub {} for qw(HUP INT TERM PIPE CHLD);
tell_parent('ready');

# A signal that arrives just before the call of select does not end it, so it never waits long while a hook runs.
while (1) {
  my $input = "\1";
  my $found = select($input, undef, undef, %unreported ? 0.005 : %id ? 0.05 : undef);
  my $ended = '';
  while ((my $pid = waitpid(-1, 1)) > 0) {
    $ended .= '- ' . delete($id{$pid}) . " $?\n";
    delete $unreported{$pid};
  }
  syswrite($up, $ended) if $ended ne '';
  if ($found == 0) {
    tell_parent("+ $id{$_} $_") for keys %unreported;
    %unreported = ();
  }
  next if $found <= 0;
  last unless sysread(STDIN, $unread, 1048576, length $unread);
  while (length($unread) >= 4) {
    my $end = 4 + unpack('N', $unread);
    last if length($unread) < $end;
    start(substr($unread, 4, $end - 4));
    substr($unread, 0, $end, '');
  }
}
finish();

sub start {
  my ($id, $folder, $umask, $in, $out, $err, $count, $rest) = split /\0/, $_[0], 8;
  my @words = split /\0/, $rest, $count + 1;
  my $given = pop @words;
  if (!defined $variables || $given ne $variables) {
    %ENV = ();
    for (split /\0/, $given) {
      my ($name, $value) = split /=/, $_, 2;
      $ENV{$name} = $value;
    }
    $variables = $given;
  }
  my $pid = fork;
  return tell_parent("? $id " . ($! + 0)) unless defined $pid;
  if ($pid) {
    setpgrp($pid, $pid);
    $id{$pid} = $id;
    $unreported{$pid} = 1;
    return;
  }
  setpgrp(0, 0);
  sysopen(STDIN, $in, 0) && sysopen(STDOUT, $out, 1) && sysopen(STDERR, $err, 1) or give_up('?', $id);
  umask $umask;
  chdir($folder) && exec { $words[0] } @words;
  give_up('!', $id);
}

sub tell_parent { syswrite($up, "$_[0]\n") }

# By a signal, because no other end is without the clean-up of Perl.
sub give_up {
  tell_parent("$_[0] $_[1] " . ($! + 0));
  kill 'KILL', $$;
}

sub finish {
  kill 'TERM', map { -$_ } keys %id;
  for (1 .. 50) {
    select(undef, undef, undef, 0.01);
    1 while waitpid(-1, 1) > 0;
    last unless grep { kill 0, -$_ } keys %id;
  }
  kill 'KILL', map { -$_ } keys %id;
}
`;

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
 * Once a hook has ended, or runs for longer than an instant, the process of the next one is forked: the spare, which waits for its request on a
 * pipe. So a hook need not wait for a fork. Of several hooks at once, the first one gets the spare. The end of the pipe is the end of the launcher,
 * and of the spare.
 *
 * The end of its stdin is the end of the process that it serves. It then ends the hooks that still run: TERM, and KILL half a second later.
 */
export const LAUNCHER_SCRIPT = String.raw`
use strict;
my ($variables, $unread, $last, $spare, $hand, %id, %unreported) = ('', '');
%ENV = ();
open(my $up, '>&', \*STDOUT) or exit 1;
# Handlers that do nothing, and not IGNORE: exec itself sets a handled signal back, so a forked process need not, and touches less memory.
$SIG{$_} = sub {} for qw(HUP INT TERM PIPE CHLD);
tell_parent('ready');
keep_spare();

while (1) {
  # The ends are looked for right before the wait: a hook that was just started may have run on this processor and be over. A signal that comes
  # between the two does not end the wait, so it never is a long one while a hook runs.
  do {
    # Not while a hook starts: it would have to share the processor.
    keep_spare() unless %unreported;
  } while (report_ended());
  my $input = "\1";
  my $found = select($input, undef, undef, %unreported ? 0.005 : %id ? 0.05 : undef);
  if ($found == 0) {
    tell_parent("+ $id{$_} $_") for keys %unreported;
    %unreported = ();
  }
  next if $found <= 0;
  last unless sysread(STDIN, $unread, 65536, length $unread);
  while (length($unread) >= 4) {
    my $end = 4 + unpack('N', $unread);
    last if length($unread) < $end;
    start(substr($unread, 0, $end, ''));
  }
}
finish();

# Returns how many hooks have ended.
sub report_ended {
  my ($lines, $count) = ('', 0);
  while ((my $pid = waitpid(-1, 1)) > 0) {
    if (defined $spare && $pid == $spare) {
      $spare = undef;
      next;
    }
    $lines .= '- ' . delete($id{$pid}) . " $?\n";
    delete $unreported{$pid};
    $count++;
  }
  syswrite($up, $lines) if $count;
  return $count;
}

sub start {
  my ($id) = split /\0/, substr($_[0], 4), 2;
  my $pid = hand_over($_[0]) || fork;
  return tell_parent("? $id " . ($! + 0)) unless defined $pid;
  run($_[0]) unless $pid;
  setpgrp($pid, $pid);
  $id{$pid} = $id;
  $unreported{$pid} = 1;
  $last = $_[0];
}

# Forks ahead a process that waits for the next hook.
sub keep_spare {
  return if defined $spare || !pipe(my $in, my $out);
  # The next hook is likely to need the same variables, and has them from its start.
  adopt((read_request($last))[-1]) if defined $last;
  my $pid = fork;
  return unless defined $pid;
  if ($pid) {
    setpgrp($pid, $pid);
    ($spare, $hand) = ($pid, $out);
    return;
  }
  close $out;
  my $request = '';
  while (length($request) < 4 || length($request) < 4 + unpack('N', $request)) {
    my $size = sysread($in, $request, 65536, length $request);
    # The end of the launcher, unless a signal came (EINTR).
    kill 'KILL', $$ if defined $size ? $size == 0 : $! != 4;
  }
  run($request);
}

# Returns the process that has the whole request; nothing if there is none.
sub hand_over {
  return unless defined $spare;
  my ($pid, $size) = ($spare, syswrite($hand, $_[0]));
  ($spare, $hand) = ();
  return $pid if defined $size && $size == length $_[0];
  kill 'KILL', $pid;
  waitpid($pid, 0);
  return;
}

# In the process of the hook.
sub run {
  my ($id, $folder, $umask, $in, $out, $err, @words) = read_request($_[0]);
  adopt(pop @words);
  setpgrp(0, 0);
  sysopen(STDIN, $in, 0) && sysopen(STDOUT, $out, 1) && sysopen(STDERR, $err, 1) or give_up('?', $id);
  umask $umask;
  chdir($folder) && exec { $words[0] } @words;
  give_up('!', $id);
}

# Returns the fields without the number of words. The variables are the last one.
sub read_request {
  my (@fields) = split /\0/, substr($_[0], 4), 8;
  my ($count, $rest) = splice @fields, 6, 2;
  return @fields, split /\0/, $rest, $count + 1;
}

sub adopt {
  return if $_[0] eq $variables;
  $variables = $_[0];
  %ENV = ();
  for (split /\0/, $variables) {
    my ($name, $value) = split /=/, $_, 2;
    $ENV{$name} = $value;
  }
}

sub tell_parent { syswrite($up, "$_[0]\n") }

# By a signal, because no other end is without the clean-up of Perl.
sub give_up {
  tell_parent("$_[0] $_[1] " . ($! + 0));
  kill 'KILL', $$;
}

sub finish {
  kill 'KILL', $spare if defined $spare;
  kill 'TERM', map { -$_ } keys %id;
  for (1 .. 50) {
    select(undef, undef, undef, 0.01);
    1 while waitpid(-1, 1) > 0;
    last unless grep { kill 0, -$_ } keys %id;
  }
  kill 'KILL', map { -$_ } keys %id;
}
`;

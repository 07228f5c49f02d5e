"""Runs a program on its own pseudo terminal and prints the result as JSON.

    terminal.py ROWSxCOLUMNS PIPED SCRIPT PROGRAM ARGUMENTS...

PIPED is the text of standard input; if it is empty, standard input is the terminal. SCRIPT is JSON: a list of
[seen, done] pairs. Once the text `seen` has appeared, `done` is typed, or sent if it is the name of a signal.
RESIZE ROWSxCOLUMNS resizes the window.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

piped, script, program = sys.argv[2], json.loads(sys.argv[3]), sys.argv[4:]
master, slave = pty.openpty()


def resize(size):
    rows, columns = map(int, size.split("x"))
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize(sys.argv[1])
before = termios.tcgetattr(slave)
reads, writes = os.pipe()
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    os.dup2(reads if piped else slave, 0)
    os.dup2(slave, 1)
    os.dup2(slave, 2)
    os.closerange(3, 20)
    os.execv(program[0], program)
os.write(writes, piped.encode())
os.close(writes)
out, unseen, running, status, deadline = b"", 0, True, None, time.time() + 120  # only a hang takes this long


def drain(wait):
    global out
    while select.select([master], [], [], wait)[0]:
        out += os.read(master, 1 << 16)
        wait = 0


while running and time.time() < deadline:
    drain(0.02)
    if script:
        found = out.find(script[0][0].encode(), unseen)
        if found >= 0:
            unseen, done = len(out), script.pop(0)[1]
            if done.startswith("SIG"):
                os.kill(child, getattr(signal, done))
            elif done.startswith("RESIZE "):
                resize(done.split()[1])
            else:
                os.write(master, done.encode())
    ended, code = os.waitpid(child, os.WNOHANG)
    if ended:
        running, status = False, os.waitstatus_to_exitcode(code)
if running:
    os.kill(child, signal.SIGKILL)
drain(0.05)
restored = termios.tcgetattr(slave) == before
print(json.dumps({"code": status, "restored": restored, "left": len(script), "out": out.decode(errors="replace")}))

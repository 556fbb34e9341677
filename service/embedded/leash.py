"""Run as a script: become a server that ends with its parent.

`python -I -S leash.py PARENT UID GID SIGNAL PROGRAM [ARGUMENT ...]`. A script of its own, because the alternative,
Python code between fork and exec (`preexec_fn`), may deadlock in a process with threads. Standard library only.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(command: list[str], parent: int, uid: int, gid: int, signal: int) -> None:
    """Change the account, ask for the signal, and be the server from here on. The process id stays the same."""
    if uid != os.geteuid():
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        # After the change of account, which would clear it.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal)
    if os.getppid() != parent:
        sys.exit("the parent ended before the server began")
    os.execv(command[0], command)  # noqa: S606 (no shell is what we want)


if __name__ == "__main__":
    main(sys.argv[5:], *map(int, sys.argv[1:5]))

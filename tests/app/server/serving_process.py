"""A process that serves a folder of matches, for tests that kill it: ``python serving_process.py FOLDER``.

It loads everything once. Each line on its standard input has it fork a server, which resumes the newest match; the
server's process and port are printed. So a killed server is followed by the next in a moment.
"""

import os
import signal
import socket
import sys
from pathlib import Path

from referee.app.desk.matches import Matches
from referee.app.server.app import build_app
from referee.app.server.serve import names_of, serve_on


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in sys.stdin:
        listening = socket.create_server(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        child = os.fork()
        if child == 0:
            matches = Matches(Path(sys.argv[1]))
            kept = matches.ids()
            if kept:
                matches.resume(kept[0])
            serve_on(build_app(matches, names=names_of("127.0.0.1", port)), listening)
            os._exit(0)
        listening.close()
        print(child, port, flush=True)


if __name__ == "__main__":
    main()

"""Long measures of the desk and its server.

    python -m tests.benchmarks.desk kills [--kills 200] [--seed 1]
    python -m tests.benchmarks.desk week [--shots 8400] [--viewers 20]
    python -m tests.benchmarks.desk fuzz [--seconds 600]

``kills``: a match is played against a server that is killed (SIGKILL) at random moments and started again; it fails
where an accepted input or an announced call is lost, or a call is announced twice, and prints the counts so far every
few kills. ``week``: so many shots as a club
plays in a week, as fast as they are taken, in matches of a hundred; twenty pages follow over websockets, one of them
reading a message a second, while the table is told twenty times a second. Printed are the server's memory, file
handles and threads, and how long after its input a call reached the pages, at the beginning and at the end. ``fuzz``:
requests made up from the server's own description, by the program schemathesis, which has to be installed; it fails
where one meets a server error or an answer that the description doesn't have.
"""

import argparse
import asyncio
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

HERE = Path(__file__).parent
A_MATCH = 100
TOLD_EVERY = 5
"""Kills from one line of counts to the next."""
SLOW_S = 1.0


def kills(arguments: argparse.Namespace) -> None:
    sys.path.insert(0, str(HERE.parent / "app" / "server"))
    from killing import play_and_kill

    began = time.monotonic()

    def told(so_far: dict[str, int]) -> None:
        if so_far["kills"] % TOLD_EVERY == 0:
            print(json.dumps({**so_far, "seconds": round(time.monotonic() - began)}), flush=True)

    with tempfile.TemporaryDirectory() as folder:
        figures = play_and_kill(Path(folder), arguments.kills, arguments.seed, told)
        print(json.dumps({**figures, "lost": 0, "doubled": 0, "seconds": round(time.monotonic() - began)}))


# ------------------------------------------------------------------------------------------------- a week


def serve(folder: str) -> None:
    """The server of ``week``: its table is told twenty times a second."""
    import socket
    from threading import Thread

    from referee.app.desk.matches import Matches
    from referee.app.live.state import SeenBall, SeenTable
    from referee.app.review.api import review_endpoints
    from referee.app.review.shelf import Shelf
    from referee.app.server.app import build_app
    from referee.app.server.serve import names_of, serve_on

    matches = Matches(Path(folder))

    def tell() -> None:
        while True:
            desk, t_s = matches.current, time.monotonic()
            if desk is not None:
                balls = {f"red-{i}": SeenBall(x=100.0 * i, y=t_s % 3000, state="moving", visible=True, sigma_mm=0.3)
                         for i in range(1, 16)}  # fmt: skip
                desk.seen(SeenTable(t_s=t_s, balls=balls))
            time.sleep(0.05)

    Thread(target=tell, daemon=True).start()
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    print(port, flush=True)
    review = review_endpoints(Shelf(matches=matches))
    serve_on(build_app(matches, endpoints=review, names=names_of("127.0.0.1", port)), listening)


class Pages:
    """Those who follow. entered: a log line to come → when its input was sent; delays_s: until a page had it."""

    def __init__(self, port: int) -> None:
        self.address = f"ws://127.0.0.1:{port}/api/socket"
        self.entered: dict[int, float] = {}
        self.delays_s: list[tuple[int, float]] = []
        self.dropped = 0
        self.shots = 0

    async def follow(self, slow: bool) -> None:
        """One page, which comes again where it is dropped."""
        while True:
            try:
                async with connect(self.address, max_size=None) as socket:
                    async for text in socket:
                        if slow:
                            await asyncio.sleep(SLOW_S)
                        elif '"type": "state"' in text[:40]:
                            self._seen(json.loads(text)["seq"])
            except (WebSocketException, OSError):
                self.dropped += slow
                await asyncio.sleep(0.2)

    def _seen(self, seq: int) -> None:
        began = self.entered.get(seq)
        if began is not None:
            self.delays_s.append((self.shots, time.perf_counter() - began))


async def play(port: int, shots: int, viewers: int, pid: int) -> None:
    pages = Pages(port)
    following = [asyncio.create_task(pages.follow(slow=i == 0)) for i in range(viewers)]
    rng, begun = random.Random(3), time.monotonic()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        for i in range(shots):
            if i % A_MATCH == 0:
                game = rng.choice(["snooker", "9-ball", "8-ball"])
                answer = await http.post("/api/matches", json={"game": game, "players": ["Ann", "Bob"]})
                seq = 1
                pages.entered.clear()
            events = [{"t": 0, "kind": "strike", "ball": "cue"}]
            first = rng.choice(["red-1", "blue", "red-5"] if game == "snooker" else ["1", "3", "8"])
            events += [{"t": 0.5, "kind": "contact", "balls": ["cue", first]}, {"t": 3, "kind": "rest"}]
            began = time.perf_counter()
            for ahead in (1, 2):  # the record's line, and its call's where one is made
                pages.entered[seq + ahead] = began
            pages.shots = i
            answer = await http.post("/api/shot", json={"record": {"events": events}})
            assert answer.status_code == 200, answer.text
            seq = answer.json()["seq"]
            await asyncio.sleep(0)
            if i in (A_MATCH, shots // 2) or i == shots - 1:
                await asyncio.sleep(1.0)
                print(json.dumps({"shots": i + 1, **figures(pid), **delays(pages, i)}), flush=True)
    for task in following:
        task.cancel()
    print(json.dumps({"seconds": round(time.monotonic() - begun), "slow page dropped": pages.dropped}))


def figures(pid: int) -> dict[str, Any]:
    """The process's memory (MiB), file handles and threads."""
    status = Path(f"/proc/{pid}/status").read_text()
    facts = dict(line.split(":", 1) for line in status.splitlines())
    handles = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    memory = int(facts["VmRSS"].split()[0]) / 1024
    return {"memory_mib": round(memory, 1), "handles": handles, "threads": int(facts["Threads"])}


def delays(pages: Pages, now: int) -> dict[str, Any]:
    """Of the last hundred shots, ms from input to page: median and 95th percentile."""
    last = sorted(delay for shot, delay in pages.delays_s if shot > now - A_MATCH)
    pages.delays_s = [each for each in pages.delays_s if each[0] > now - A_MATCH]
    if not last:
        return {}
    p95 = last[min(len(last) - 1, int(0.95 * len(last)))]
    return {"median_ms": round(1000 * statistics.median(last), 1), "p95_ms": round(1000 * p95, 1)}


def week(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.benchmarks.desk", "serve", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            asyncio.run(play(port, arguments.shots, arguments.viewers, server.pid))
        finally:
            server.terminate()
            server.wait()


def fuzz(arguments: argparse.Namespace) -> None:
    program = shutil.which("schemathesis")
    if program is None:
        raise SystemExit("fuzz needs the program schemathesis: pip install schemathesis, in an environment of its own")
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.desk", "serve", folder], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            address = f"http://127.0.0.1:{int(server.stdout.readline())}"
            httpx.post(f"{address}/api/matches", json={"game": "8-ball", "players": ["Ann", "Bob"]}, timeout=60)
            checks = "not_a_server_error,status_code_conformance,content_type_conformance"
            command = [program, "run", f"{address}/api/openapi.json", "--checks", checks]
            sys.exit(subprocess.run([*command, "--max-time", str(arguments.seconds)], check=False).returncode)
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = parser.add_subparsers(dest="measure", required=True)
    killing = measures.add_parser("kills")
    killing.add_argument("--kills", type=int, default=200)
    killing.add_argument("--seed", type=int, default=1)
    weekly = measures.add_parser("week")
    weekly.add_argument("--shots", type=int, default=8400)
    weekly.add_argument("--viewers", type=int, default=20)
    measures.add_parser("fuzz").add_argument("--seconds", type=int, default=600)
    measures.add_parser("serve").add_argument("folder")
    arguments = parser.parse_args()
    if arguments.measure == "serve":
        serve(arguments.folder)
    else:
        {"kills": kills, "week": week, "fuzz": fuzz}[arguments.measure](arguments)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures what N live copies of one moving board cost in other toolkits, beside Porthole's portals.

Each toolkit and Porthole is a process of its own that lives for the whole run and draws when it is told to; rounds take
turns, so that a machine that slows down slows all alike. Cost is CPU time a frame, of the process and, for the browser, of
all its processes. The ratio is the median of the rounds' ratios; its interval is Wilcoxon's.

    bench/peers/run.py [--n 16,256,1024] [--rounds 9] [--peers NAME,...] [--out FILE]
"""
import argparse
import datetime
import http.server
import itertools
import json
import math
import os
import queue
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(TOP, ".build", "peers")
BENCH = os.path.join(TOP, ".build", "release", "porthole-bench")
SUITES = ("portal-grid", "portal-window")
TICK = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    pass


class Process:
    """A peer that reads orders from its standard input."""

    frames_a_round = 8

    def __init__(self, command, suite, n):
        self.process = subprocess.Popen(
            command + [suite, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, bufsize=1)
        self.expect("ready", 90)

    def expect(self, word, seconds):
        answer = queue.Queue()
        threading.Thread(target=lambda: answer.put(self.process.stdout.readline()), daemon=True).start()
        try:
            line = answer.get(timeout=seconds)
        except queue.Empty:
            raise Failed(f"no answer in {seconds} s") from None
        if not line or (word and not line.startswith(word)):
            raise Failed(f"it ended, or said {line!r}")
        return line

    def draw(self, count):
        """CPU milliseconds a frame."""
        self.process.stdin.write(f"draw {count}\n")
        self.process.stdin.flush()
        frames, cpu, _ = self.expect(None, 120).split()
        return int(cpu) / int(frames) / 1e6

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Firefox:
    """A browser of its own profile; the page asks this server how many frames to draw."""

    frames_a_round = 40

    def __init__(self, _, suite, n):
        if suite != "portal-grid":
            raise Failed("its page has no windows")
        self.orders, self.answers = queue.Queue(), queue.Queue()
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/order"):
                    peer.answers.put("ready")
                    body, kind = str(peer.orders.get()).encode(), "text/plain"
                else:
                    with open(os.path.join(HERE, "firefox.html"), "rb") as page:
                        body, kind = page.read(), "text/html"
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.profile = tempfile.mkdtemp(prefix="porthole-peer-")
        with open(os.path.join(self.profile, "user.js"), "w") as prefs:
            prefs.write(
                'user_pref("browser.shell.checkDefaultBrowser", false);\n'
                'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                'user_pref("toolkit.telemetry.enabled", false);\n'
                'user_pref("browser.aboutwelcome.enabled", false);\n'
                'user_pref("app.update.enabled", false);\n'
                'user_pref("network.captive-portal-service.enabled", false);\n')
        url = f"http://127.0.0.1:{self.server.server_address[1]}/?n={n}"
        self.process = subprocess.Popen(
            ["firefox-esr", "--no-remote", "--profile", self.profile, "--kiosk", url], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=dict(os.environ, MOZ_DISABLE_CONTENT_SANDBOX="1"))
        self.wait(120)

    def wait(self, seconds):
        try:
            self.answers.get(timeout=seconds)
        except queue.Empty:
            raise Failed(f"its page did not answer in {seconds} s") from None

    def cpu(self):
        """Seconds of the browser and all its processes."""
        parents, times = {}, {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rsplit(") ", 1)[1].split()
            except (OSError, IndexError):
                continue
            parents[int(entry)] = int(fields[1])
            times[int(entry)] = (int(fields[11]) + int(fields[12])) / TICK
        total, family = 0.0, {self.process.pid}
        for _ in range(6):
            family |= {pid for pid, parent in parents.items() if parent in family}
        for pid in family:
            total += times.get(pid, 0)
        return total

    def draw(self, count):
        before = self.cpu()
        self.orders.put(count)
        self.wait(180)
        return (self.cpu() - before) / count * 1e3

    def close(self):
        self.orders.put(0)
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.server.shutdown()
        shutil.rmtree(self.profile, ignore_errors=True)


PEERS = {
    "qt-shared": (Process, [os.path.join(BUILD, "qt-shared")]),
    "clutter-clone": (Process, [os.path.join(BUILD, "clutter-clone")]),
    "gtk-paintable": (Process, [os.path.join(BUILD, "gtk-paintable")]),
    "firefox-element": (Firefox, []),
}


def walsh(logs):
    return sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(logs, 2))


def critical_rank(count):
    """The smallest signed-rank sum with a chance of 2.5 % to be no larger."""
    ways = [1.0]
    for rank in range(1, count + 1):
        following = ways + [0.0] * rank
        for total, value in enumerate(ways):
            following[total + rank] += value
        ways = [value / 2 for value in following]
    chance = 0.0
    for total, value in enumerate(ways):
        chance += value
        if chance >= 0.025:
            return total
    return 0


def estimate(ours, theirs):
    means = walsh([math.log(a / b) for a, b in zip(ours, theirs)])
    rank = critical_rank(len(ours))
    result = {"ratio": math.exp(statistics.median(means))}
    if 0 < rank <= len(means):
        result |= {"lower": math.exp(means[rank - 1]), "upper": math.exp(means[len(means) - rank])}
    return result


def measure(suite, n, names, rounds, order):
    """Ratios of one place in the table."""
    made, failures = {}, {}
    try:
        for name in ["porthole"] + names:
            make, command = (Process, [BENCH, "peer"]) if name == "porthole" else PEERS[name]
            try:
                made[name] = make(command, suite, n)
            except (Failed, OSError) as error:
                failures[name] = str(error)
        if "porthole" in failures:
            sys.exit(f"porthole-bench peer {suite} {n}: {failures['porthole']}")
        # About a second of each a round.
        frames = {}
        for name, peer in list(made.items()):
            try:
                frames[name] = max(1, min(peer.frames_a_round, int(1000 / max(0.1, peer.draw(1)))))
            except Failed as error:
                failures[name] = str(error)
                made.pop(name).close()
        costs = {name: [] for name in made}
        for _ in range(rounds):
            turn = list(made)
            order.shuffle(turn)
            for name in turn:
                try:
                    cost = made[name].draw(frames[name])
                except Failed as error:
                    failures[name] = str(error)
                    made.pop(name).close()
                    continue
                costs[name].append(cost)
        rows = []
        for name in names:
            if name in failures:
                rows.append({"peer": name, "suite": suite, "n": n, "failure": failures[name]})
                continue
            row = {"peer": name, "suite": suite, "n": n, **estimate(costs["porthole"], costs[name])}
            row |= {
                "porthole_ms": statistics.median(costs["porthole"]), "peer_ms": statistics.median(costs[name]),
                "rounds": len(costs[name])}
            rows.append(row)
        return rows
    finally:
        for peer in made.values():
            peer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", default="256,1024", help="numbers of copies; above 256 of Qt Quick alone")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default=os.path.join(TOP, "out", "bench", "peers.json"))
    options = parser.parse_args()
    names = options.peers.split(",")
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        parser.error(f"there is no peer {unknown[0]}; there are {', '.join(PEERS)}")
    if not os.environ.get("DISPLAY"):
        command = ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", sys.executable, os.path.abspath(__file__)]
        os.execvp(command[0], command + sys.argv[1:])
    # One thread of the software rasteriser for all, so that none gains by how its work happens to be divided.
    os.environ.setdefault("LP_NUM_THREADS", "1")
    order = random.Random(options.seed)
    ratios = []
    print(f"CPU ms a frame, and what portals cost in terms of each (LP_NUM_THREADS={os.environ['LP_NUM_THREADS']})")
    for suite in options.suites.split(","):
        for n in map(int, options.n.split(",")):
            # The others' copies are windows with difficulty, and a thousand of them take seconds a frame.
            chosen = [name for name in names if name == "qt-shared" or suite == "portal-grid" and n <= 256]
            for row in measure(suite, n, chosen, options.rounds, order):
                place = f"{suite:14} N = {n:<6} {row['peer']:16}"
                if "failure" in row:
                    print(f"{place} not measured: {row['failure']}")
                    continue
                ratios.append(row)
                span = f" ({row['lower']:.3g} to {row['upper']:.3g})" if "lower" in row else ""
                print(
                    f"{place} {row['porthole_ms']:8.3g} over {row['peer_ms']:8.3g}   {row['ratio']:.3g}x{span}",
                    flush=True)
            write(options, ratios)
    print(f"written: {options.out}")


def write(options, ratios):
    os.makedirs(os.path.dirname(options.out), exist_ok=True)
    started = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    with open(options.out, "w") as file:
        json.dump(
            {"schema": "porthole-bench/peers", "version": 1, "started": started,
             "threads": os.environ["LP_NUM_THREADS"], "ratios": ratios}, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()

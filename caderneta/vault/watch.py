"""`vigiar`: ESTADO.md kept true while people save (format §7).

One thread takes events from the system and puts the paths that matter in a queue (observe.py); the one that called
:func:`watch` takes them in batches (a quiet time, and a longest wait so that a steady stream starves nobody) and does
everything else. An event only says where to look: what counts is what the disk holds when we look.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from caderneta.checks.rules import severity
from caderneta.format.settings import SETTINGS_FILE
from caderneta.format.text import cut, visible
from caderneta.vault.estado_file import NAME, estado_text, write_estado
from caderneta.vault.files import GRACE, VaultError
from caderneta.vault.lock import watching
from caderneta.vault.observe import EVERYTHING, Doubts, Paths, all_watched, start
from caderneta.vault.workspace import Workspace

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

QUIET = 0.05  # a batch ends when nothing came for this long,
LONGEST_WAIT = 0.5  # or when its first event has waited this long
HEARTBEAT = 2.0  # how often to look at the clock (midnight, a laptop that slept) and at the vault's folder
RESCAN = 60.0  # how often to look at every signature, for events that never came
POLL = 1.0  # the same, where the system gives no events
ENDING = 5.0  # how long a turn may take to end once it was asked to


@dataclass(frozen=True, slots=True)
class Refresh:
    """One turn: the files whose facts changed, how many facts and findings (notices apart) there are, a sentence if it failed."""

    files: tuple[str, ...]
    facts: int
    findings: int
    seconds: float
    error: str | None = None


def watch(
    root: Path,
    *,
    today: Callable[[], str],
    on_refresh: Callable[[Refresh], None],
    polling: bool = False,
    stop: threading.Event | None = None,
) -> None:
    """Keep the vault's ESTADO.md true until ``stop`` is set, or SIGINT or SIGTERM comes (in the main thread).

    ``today`` is asked at every turn. ``on_refresh`` is called at the start, after every turn that changed something,
    and when an error begins or ends. Raises Busy when this device already watches the vault, VaultError when it cannot
    be read at the start. Any other error, then or later, is reported, ESTADO.md stays as it is, and the next save is the
    moment to try again, from the beginning. What ``on_refresh`` raises ends the watcher.
    """
    root = root.resolve()
    stop = stop or threading.Event()
    with watching(root), _signals(stop):
        watcher = _Watcher(root, today, on_refresh, polling, stop)
        try:
            watcher.run()
        except KeyboardInterrupt:
            if not stop.is_set():
                raise
        finally:
            stop.set()
            watcher.close()


class _Watcher:
    def __init__(
        self,
        root: Path,
        today: Callable[[], str],
        on_refresh: Callable[[Refresh], None],
        polling: bool,
        stop: threading.Event,
    ) -> None:
        self.root = root
        self.today = today
        self.on_refresh = on_refresh
        self.polling = polling
        self.stop = stop
        self.queue: Paths = SimpleQueue()
        self.observer: BaseObserver | None = None
        self.doubts = Doubts(self.queue)
        self.notice: str | None = None
        self.error: str | None = None
        self.broken = False  # what is held may be half a turn's: begin again
        self.counted = 0, 0
        self.next_rescan = 0.0
        threading.Thread(target=self._wake_on_stop, daemon=True).start()

    def run(self) -> None:
        started = time.perf_counter()
        # Before the first reading, so that what is saved meanwhile is seen.
        self._observe()
        self.workspace = Workspace(self.root, self.today())
        self.place = _place(self.root)
        self._schedule_rescan(0)
        self._tell(self._guarded(self._begin, started))
        while not self.stop.is_set():
            batch = self._gather()
            if not self.stop.is_set():
                self._tell(self._guarded(partial(self._turn, batch), time.perf_counter()))

    def close(self) -> None:
        self._stop_observer()
        logging.getLogger("watchdog").removeHandler(self.doubts)

    # Turns

    def _gather(self) -> set[str]:
        """The paths of one batch; empty when only time has passed."""
        waits = [doubt.since + GRACE - time.monotonic() for doubt in self.workspace.doubted.values()]
        batch: set[str] = set()
        wait = max(0.01, min([HEARTBEAT, self.next_rescan - time.monotonic(), *waits]))
        end = 0.0
        with suppress(Empty):
            while not end or time.monotonic() < end:
                path = self.queue.get(timeout=max(wait, 0))
                if path is None:
                    break
                batch.add(path)
                end = end or time.monotonic() + LONGEST_WAIT
                wait = min(QUIET, end - time.monotonic())
        return batch

    def _guarded(self, turn: Callable[[float], Refresh | None], started: float) -> Refresh | None:
        """A turn that nothing can end: what was not foreseen is a sentence, and a reason to begin again."""
        try:
            return turn(started)
        except VaultError:
            raise
        except Exception as error:
            self.broken = True
            what = visible(cut(f"{type(error).__name__}: {error}".strip(": ")))
            sentence = f"Não consegui refazer {NAME}: erro interno ({what}). Tento de novo no próximo salvamento."
            return self._report((), started, sentence)

    def _tell(self, refresh: Refresh | None) -> None:
        if refresh is not None:
            self.on_refresh(refresh)

    def _begin(self, started: float) -> Refresh | None:
        """Read the whole vault, with nothing kept of what was read before."""
        self.workspace = Workspace.open(self.root, self.today())
        self.broken = False
        return self._publish(tuple(self.workspace.projection.documents), started)

    def _turn(self, batch: set[str], started: float) -> Refresh | None:
        if not self._at_home():
            return self._report((), started, f"A pasta do cofre não está em {self.root}. Espero que volte.")
        now = time.monotonic()
        rescan = now >= self.next_rescan or EVERYTHING in batch
        day = self.today()
        moved = day != self.workspace.projection.today
        if self.broken:
            if not (batch or rescan):
                return None
            self._schedule_rescan(0)
            try:
                return self._begin(started)
            except VaultError as error:
                return self._report((), started, str(error))
        if not (batch or self.workspace.doubted or rescan or moved or self.error):
            return None
        try:
            changed = self.workspace.refresh(None if rescan else batch, patient=True)
        except VaultError as error:
            return self._report((), started, str(error))
        if rescan:
            self._schedule_rescan(time.monotonic() - now)
        if moved:
            self.workspace.projection.move_to(day)
        # ESTADO.md alone changing is not news, or two devices that sync it would write over each other without end;
        # any other save is the moment to put right what somebody wrote into it.
        if changed or moved or rescan or self.error or self.notice or batch:
            return self._publish(changed, started, quiet=not (changed or moved))
        return None

    def _publish(self, changed: tuple[str, ...], started: float, quiet: bool = False) -> Refresh | None:
        error = None
        written = False
        try:
            written = write_estado(self.root, estado_text(self.workspace))
        except VaultError as problem:
            error = str(problem)
        if quiet and not written and not self.notice and error == self.error:
            return None
        projection = self.workspace.projection
        facts = sum(len(document.facts) for document in projection.documents.values())
        findings = sum(n for code, n in projection.count_findings().items() if severity(code) != "nota")
        self.counted = facts, findings
        return self._report(changed, started, error)

    def _report(self, changed: tuple[str, ...], started: float, error: str | None) -> Refresh | None:
        if error and error == self.error and not changed:
            return None
        self.error = error
        shown, self.notice = error or self.notice, None
        return Refresh(changed, *self.counted, time.perf_counter() - started, shown)

    def _schedule_rescan(self, took: float) -> None:
        # A slow disk is not looked at all the time.
        self.next_rescan = time.monotonic() + max(POLL if self.polling else RESCAN, 20 * took)

    # The vault's folder

    def _at_home(self) -> bool:
        """Whether the folder is there and watched; begins again with another folder that came in its place.

        An empty folder where a disk was mounted is not the vault: what comes back has its Caderneta.md, if it had one.
        """
        place = _place(self.root)
        if place == self.place and (self.polling or self._observed()):
            return True
        self._stop_observer()
        if place is None or (place != self.place and self.workspace.has_marker and not _has_marker(self.root)):
            return False
        self.place = place
        self.workspace.doubted.clear()
        self._observe()
        self.next_rescan = 0.0
        return True

    # The system's events

    def _observe(self) -> None:
        if self.polling:
            return
        logging.getLogger("watchdog").addHandler(self.doubts)
        try:
            self.observer = start(self.root, self.queue)
            if not all_watched(self.root):
                self._poll("não deixa vigiar tantas pastas")
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR):  # gone this very moment: tried again at the next turn
                limit = error.errno in (errno.ENOSPC, errno.EMFILE, errno.ENFILE)
                self._poll("não deixa vigiar mais pastas" if limit else "não avisa das mudanças nesta pasta")

    def _poll(self, reason: str) -> None:
        self._stop_observer()
        self.polling = True
        self.notice = (
            f"O sistema {reason}: passo a olhar o cofre a cada segundo. "
            "No Linux, o limite se aumenta com: sudo sysctl fs.inotify.max_user_watches=524288"
        )

    def _observed(self) -> bool:
        observer = self.observer
        return observer is not None and observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters)

    def _stop_observer(self) -> None:
        if self.observer is not None:
            self.observer.stop()
            self.observer.join()
            self.observer = None

    def _wake_on_stop(self) -> None:
        self.stop.wait()
        self.queue.put(None)


def _place(root: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        status = os.stat(root)
        return status.st_dev, status.st_ino
    return None


def _has_marker(root: Path) -> bool:
    return (root / SETTINGS_FILE).is_file()


@contextmanager
def _signals(stop: threading.Event) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the turn under way, and then the watcher, instead of breaking it.

    Asked twice, or when the turn does not end by itself (a disk that does not answer), they break it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    main = threading.get_ident()
    over = threading.Event()
    guard = threading.Lock()

    def insist() -> None:
        stop.wait()
        if not over.wait(ENDING) and hasattr(signal, "pthread_kill"):
            with guard:
                if not over.is_set():
                    signal.pthread_kill(main, signal.SIGTERM)

    def ask(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    threading.Thread(target=insist, daemon=True).start()
    try:
        yield
    finally:
        with guard:
            over.set()
        for number, handler in before.items():
            signal.signal(number, handler)

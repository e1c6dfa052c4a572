"""What the system tells of changes in the vault, reduced to the paths worth looking at.

watchdog is asked only for what says that a save ended or a name changed: with its default events (opened, modified, …)
a burst makes the system's queue overflow, and changes are lost.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from caderneta.vault import estado_file, find

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

Paths = SimpleQueue[str | None]
"""Vault paths, folders with a final ``/``; None only wakes the reader."""

EVERYTHING = ""  # the vault's own folder: look at all of it


class Doubts(logging.Handler):
    """watchdog tells of lost events only in its log: then everything must be looked at."""

    def __init__(self, queue: Paths) -> None:
        super().__init__(logging.WARNING)
        self.queue = queue

    def emit(self, record: logging.LogRecord) -> None:
        self.queue.put(EVERYTHING)


def start(root: Path, queue: Paths) -> BaseObserver:
    """Begin to put in ``queue`` the paths of the vault that events are about. Raises OSError at the system's limits."""
    from watchdog import events
    from watchdog.observers import Observer

    kinds: list[type[FileSystemEvent]] = [
        events.FileClosedEvent,
        events.FileMovedEvent,
        events.FileCreatedEvent,
        events.FileDeletedEvent,
        events.DirMovedEvent,
        events.DirCreatedEvent,
        events.DirDeletedEvent,
    ]
    if sys.platform != "linux":  # only inotify says when a file is closed
        kinds.append(events.FileModifiedEvent)
    base = str(root)

    class Handler(events.FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            for path in _interesting(event, base):
                queue.put(path)

    observer = Observer()
    try:
        observer.schedule(Handler(), base, recursive=True, event_filter=kinds)
        observer.start()
    except BaseException:
        with suppress(Exception):
            observer.stop()
        raise
    return observer


def _interesting(event: FileSystemEvent, base: str) -> Iterator[str]:
    """The vault paths an event is about that may hold facts or settings; folders end in ``/``."""
    for raw in (event.src_path, event.dest_path):
        full = os.fsdecode(raw)
        if not full or not (full == base or full.startswith(base + os.sep)):
            continue
        path = full[len(base) + 1 :].replace(os.sep, "/")
        if path == find.OBSIDIAN_DAILY:
            yield path
        elif any(part.startswith(".") for part in path.split("/")):
            continue
        elif event.is_directory:
            yield path + "/" if path else EVERYTHING
        elif path == estado_file.NAME:
            # Ours, or another device's: a later turn tells whether it is still true.
            if not os.path.lexists(full):
                yield path
        elif path.lower().endswith(".md"):
            yield path


def all_watched(root: Path) -> bool:
    """Whether every folder got its watch: watchdog passes over those the system refuses. True where nobody can tell."""
    if sys.platform != "linux":
        return True
    for _ in range(3):
        held = 0
        try:
            for name in os.listdir("/proc/self/fdinfo"):
                with suppress(FileNotFoundError), open(f"/proc/self/fdinfo/{name}", encoding="utf-8") as file:
                    held += file.read().count("inotify wd:")
        except OSError:
            return True
        if held >= sum(1 for _ in os.walk(root)):
            return True
        time.sleep(0.05)
    return False

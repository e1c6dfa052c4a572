"""One writer at a time, one watcher at a time, for each vault on this device.

Each is held twice. In the user's cache folder, under a name made from the vault's real path: for every system. And,
where the system has ``flock``, on what the vault has anyway (its folder; for the watcher, Caderneta.md): for whoever has
another cache folder, in a container or as another user. Nothing is created in the vault, which may be synced. The system
frees both when their process ends, even by ``kill -9``.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from caderneta.format.settings import SETTINGS_FILE
from caderneta.vault.files import VaultError, why

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_POLL = 0.02


class Busy(VaultError):
    """Another process holds what was asked for."""


def cache_folder(root: Path) -> Path:
    """This vault's own folder in the per-user cache. Everything in it may be deleted at any time."""
    from platformdirs import user_cache_path

    name = hashlib.blake2b(os.fsencode(root.resolve()), digest_size=16).hexdigest()
    return user_cache_path("caderneta", appauthor=False) / name


@contextmanager
def locked(root: Path, timeout: float = 30) -> Iterator[None]:
    """Hold the right to write in the vault; not to be nested. Raises Busy after ``timeout`` seconds, or VaultError."""
    message = f"Outro programa está gravando neste cofre há mais de {timeout:.0f} segundos. Nada foi escrito; tente de novo."
    with ExitStack() as held:
        _hold(held, root, "escrita", root, timeout, message)
        yield


@contextmanager
def watching(root: Path) -> Iterator[None]:
    """Hold the right to watch the vault. Raises Busy at once when it is already watched on this device."""
    message = "Este cofre já está sendo vigiado por outro caderneta vigiar neste aparelho."
    with ExitStack() as held:
        _hold(held, root, "vigia", root / SETTINGS_FILE, 0, message)
        yield


def _hold(held: ExitStack, root: Path, name: str, inherent: Path, timeout: float, busy: str) -> None:
    """Take both locks, always in this order. One is enough where the other cannot be had."""
    end = time.monotonic() + timeout
    refusal = _hold_cached(held, cache_folder(root), name, timeout, busy)
    if not _hold_inherent(held, inherent, end, busy) and refusal is not None:
        raise refusal


def _hold_cached(held: ExitStack, folder: Path, name: str, timeout: float, busy: str) -> VaultError | None:
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{name}.lock")
        lock.acquire(timeout=timeout, poll_interval=_POLL)
    except Timeout:
        raise Busy(busy) from None
    except OSError as error:
        return VaultError(f"Não deu para criar a trava do cofre em {folder}: {why(error)}.")
    held.callback(lock.release)
    return None


def _hold_inherent(held: ExitStack, path: Path, end: float, busy: str) -> bool:
    """Lock what is there already; False where the system, or the disk, has no such locks."""
    if fcntl is None:
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    held.callback(os.close, descriptor)
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= end:
                raise Busy(busy) from None
            time.sleep(_POLL)
        except OSError:
            return False
